package io.penstock.dpu.transform.store;

import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.transform.graph.GraphPart;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.graph.ValueType;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.FrozenPrefix;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelException.Reason;
import io.penstock.dpu.transform.model.ModelId;
import io.penstock.dpu.transform.onnx.ModelFacts;
import io.penstock.dpu.transform.onnx.PrefixSession;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Map;

/**
 * A model of the store: what was found out about it, and how to read its file again.
 *
 * <p>Threading: any thread that may block.
 */
record StoredModel(ModelFile file, ModelFacts facts, Engine engine) implements FrozenModel {

  /** What runs models. */
  record Engine(ModelStore.Setup setup, Sessions sessions, ModelMemory memory) {}

  static StoredModel load(ModelFile file, Engine engine) {
    ModelFacts facts = file.with(graph -> ModelFacts.of(graph, file.limits()));
    return new StoredModel(file, facts, engine);
  }

  @Override
  public ModelId id() {
    return file.pin().id();
  }

  @Override
  public TensorSpec input() {
    return cuts().getFirst().spec();
  }

  @Override
  public TensorSpec output() {
    return cuts().getLast().spec();
  }

  @Override
  public List<Cut> cuts() {
    return facts.cuts();
  }

  @Override
  public Cut cut(String name) {
    return cuts().stream()
        .filter(cut -> cut.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ModelException(
                    Reason.NO_SUCH_CUT,
                    id().name()
                        + " cannot be split at "
                        + name
                        + "; it can at "
                        + String.join(", ", cuts().stream().map(Cut::name).toList())));
  }

  @Override
  public FrozenPrefix prefix(Cut cut) {
    Cut known = cut(cut.name());
    if (known.isInput()) {
      return new UntouchedPrefix(known);
    }
    Sessions.Key key = new Sessions.Key(id().sha256(), known.name());
    return new LentPrefix(known, engine, engine.sessions().borrow(key, () -> build(known)));
  }

  private Sessions.Held build(Cut cut) {
    long bytes = cut.weightBytes() + engine.setup().concurrency() * cut.workspaceBytes();
    Reservation reservation =
        engine
            .memory()
            .reserve(new MemoryClaim(MemoryArea.MODELS, bytes, id() + " up to " + cut.name()));
    try {
      return new Sessions.Held(
          file.with(graph -> PrefixSession.open(graph, end(cut), engine.setup().compute())),
          reservation);
    } catch (RuntimeException | Error e) {
      reservation.close();
      throw e;
    }
  }

  @Override
  public long writeSuffix(Cut cut, WritableByteChannel target) {
    Cut known = cut(cut.name());
    if (known.equals(cuts().getLast())) {
      throw new ModelException(
          Reason.NO_SUCH_CUT, "nothing is left of " + id().name() + " after " + cut.name());
    }
    return write(known, cuts().getLast(), target);
  }

  @Override
  public long writePrefix(Cut cut, WritableByteChannel target) {
    Cut known = cut(cut.name());
    if (known.isInput()) {
      throw new ModelException(
          Reason.NO_SUCH_CUT, "nothing of " + id().name() + " is before its input");
    }
    return write(cuts().getFirst(), known, target);
  }

  private long write(Cut from, Cut to, WritableByteChannel target) {
    return file.with(graph -> write(graph, free(from), free(to), target));
  }

  private static long write(
      OnnxGraph graph,
      Map.Entry<String, ValueType> from,
      Map.Entry<String, ValueType> to,
      WritableByteChannel target) {
    long bytes = 0;
    try {
      for (MemorySegment piece : GraphPart.of(graph, from, to).pieces()) {
        for (ByteBuffer buffer = piece.asByteBuffer(); buffer.hasRemaining(); ) {
          bytes += target.write(buffer);
        }
      }
    } catch (IOException e) {
      throw new ModelException(Reason.FAILED, "writing the part failed: " + e.getMessage(), e);
    }
    return bytes;
  }

  private Map.Entry<String, ValueType> end(Cut cut) {
    return Map.entry(cut.name(), facts.type(cut.name()));
  }

  private Map.Entry<String, ValueType> free(Cut cut) {
    return Map.entry(cut.name(), facts.type(cut.name()).withFirst(ValueType.FREE));
  }
}
