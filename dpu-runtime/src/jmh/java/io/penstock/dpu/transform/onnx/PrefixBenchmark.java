package io.penstock.dpu.transform.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.penstock.dpu.transform.graph.ModelReader;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.ModelLimits;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole network over a batch: through a session of ours, and by ONNX Runtime alone on the same
 * file, with the same batch and one thread. Another model: {@code -p model=FILE}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 3)
public class PrefixBenchmark {
  @Param("examples/models/mobilenet_v2.onnx")
  public String model;

  @Param({"1", "8"})
  public int batch;

  private final Arena arena = Arena.ofShared();
  private MemorySegment input;
  private MemorySegment output;
  private PrefixSession ours;
  private OrtSession theirs;
  private String name;
  private long[] shape;

  /** Opens the model both ways. */
  @Setup
  public void open() throws IOException, OrtException {
    byte[] file = Files.readAllBytes(Path.of(model));
    MemorySegment memory = arena.allocate(file.length, 64);
    memory.copyFrom(MemorySegment.ofArray(file));
    OnnxGraph graph = ModelReader.read(memory, ModelLimits.usual());
    ModelFacts facts = ModelFacts.of(graph, ModelLimits.usual());
    Cut last = facts.cuts().getLast();
    ours =
        PrefixSession.open(
            graph, Map.entry(last.name(), facts.type(last.name())), Compute.onCaller());
    input = arena.allocate(batch * facts.cuts().getFirst().bytesPerSample(), 64);
    output = arena.allocate(batch * last.bytesPerSample(), 64);
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      theirs = Compute.environment().createSession(file, options);
    }
    name = graph.input();
    shape = Tensors.shape(graph.inputType().withFirst(batch));
  }

  /** Frees both. */
  @TearDown
  public void close() throws OrtException {
    ours.close();
    theirs.close();
    arena.close();
  }

  @Benchmark
  public void ours() {
    ours.apply(input, batch, output);
  }

  /** ONNX Runtime's own way. */
  @Benchmark
  public Object onnxRuntime() throws OrtException {
    try (OnnxTensor tensor =
            OnnxTensor.createTensor(
                Compute.environment(),
                input.asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer(),
                shape);
        OrtSession.Result result = theirs.run(Map.of(name, tensor))) {
      return result.size();
    }
  }
}
