package io.penstock.dpu.transform.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.penstock.dpu.transform.graph.GraphPart;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.graph.ValueType;
import io.penstock.dpu.transform.model.ModelException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * Computes one part of a network, from the input to one tensor, on memory of the caller: neither
 * what goes in nor what comes out is copied.
 *
 * <p>On the CPU each sample is computed by itself, whatever the number given: the kernels for one
 * row and for many round differently, and one at a time is as fast
 * (docs/decisions/one-sample-at-a-time.md). On CUDA all are computed together.
 *
 * <p>Threading: any thread, many at once. {@link #close} only when none computes.
 *
 * <p>Ownership: holds the weights, outside of the heap, until closed.
 */
public final class PrefixSession implements AutoCloseable {
  private final OrtSession session;
  private final boolean oneByOne;
  private final Port in;
  private final Port out;

  /** One end: a tensor and its type for one sample. */
  private record Port(String name, ValueType type) {
    OnnxTensor tensor(MemorySegment memory, long samples) throws OrtException {
      return Tensors.over(memory, type.type(), Tensors.shape(type.withFirst(samples)));
    }
  }

  private PrefixSession(OrtSession session, boolean oneByOne, Port in, Port out) {
    this.session = session;
    this.oneByOne = oneByOne;
    this.in = in;
    this.out = out;
  }

  /**
   * Builds the session; blocks, and copies the weights.
   *
   * @param tensor what is to be computed, with its type for one sample
   * @throws ModelException if ONNX Runtime does not take the part, or has not what computes
   */
  public static PrefixSession open(
      OnnxGraph graph, Map.Entry<String, ValueType> tensor, Compute compute) {
    return between(
        graph, Map.entry(graph.input(), graph.inputType().withFirst(1)), tensor, compute);
  }

  /** The same from another tensor than the input on, with its type for one sample. */
  public static PrefixSession between(
      OnnxGraph graph,
      Map.Entry<String, ValueType> from,
      Map.Entry<String, ValueType> to,
      Compute compute) {
    boolean oneByOne = compute.provider() == Compute.Provider.CPU;
    long rows = oneByOne ? 1 : ValueType.FREE;
    Port in = new Port(from.getKey(), from.getValue());
    Port out = new Port(to.getKey(), to.getValue());
    GraphPart part =
        GraphPart.of(
            graph,
            Map.entry(in.name(), in.type().withFirst(rows)),
            Map.entry(out.name(), out.type().withFirst(rows)));
    try (Arena arena = Arena.ofConfined()) {
      return new PrefixSession(compute.session(part.write(arena)), oneByOne, in, out);
    } catch (OrtException e) {
      throw new ModelException(
          ModelException.Reason.REFUSED,
          "ONNX Runtime refuses the part up to " + out.name() + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * Computes {@code samples} samples; blocks.
   *
   * @param input off-heap, the samples one after the other
   * @param output off-heap, room for as many results
   * @throws IllegalArgumentException if a segment is on the heap or has another size
   * @throws ModelException {@link ModelException.Reason#FAILED}
   */
  public void apply(MemorySegment input, int samples, MemorySegment output) {
    check("input", input, in.type().bytes(), samples);
    check("output", output, out.type().bytes(), samples);
    try {
      int step = oneByOne ? 1 : samples;
      for (int done = 0; done < samples; done += step) {
        run(part(input, in, done, step), step, part(output, out, done, step));
      }
    } catch (OrtException e) {
      throw new ModelException(
          ModelException.Reason.FAILED,
          "computing " + out.name() + " failed: " + e.getMessage(),
          e);
    }
  }

  private static MemorySegment part(MemorySegment all, Port port, long from, long samples) {
    return all.asSlice(from * port.type().bytes(), samples * port.type().bytes());
  }

  private void run(MemorySegment input, int samples, MemorySegment output) throws OrtException {
    try (OnnxTensor given = in.tensor(input, samples);
        OnnxTensor wanted = out.tensor(output, samples);
        OrtSession.Result result =
            session.run(Map.of(in.name(), given), Map.of(out.name(), wanted))) {
      assert result.size() == 1;
    }
  }

  private static void check(String what, MemorySegment memory, long sample, int samples) {
    if (samples < 1 || memory.byteSize() != sample * samples || !memory.isNative()) {
      throw new IllegalArgumentException(
          "%s must be %d samples of %d bytes off the heap, not %d bytes %s the heap"
              .formatted(
                  what, samples, sample, memory.byteSize(), memory.isNative() ? "off" : "on"));
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new ModelException(
          ModelException.Reason.FAILED, "a session did not close: " + e.getMessage(), e);
    }
  }
}
