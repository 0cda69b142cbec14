package io.penstock.dpu.transform.onnx;

import static io.penstock.dpu.transform.model.ModelException.refused;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.penstock.dpu.transform.graph.ElementType;
import io.penstock.dpu.transform.graph.GraphPart;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.graph.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Tries out which tensors hold their samples one by one: the network is computed for two samples
 * together and for each alone, and the rows must agree. That leaves out tensors whose first
 * dimension is not the batch (transposed sequences), and networks whose samples touch each other.
 *
 * <p>Threading: one thread, one graph.
 */
final class CutProbe {
  /** Kernels differ with the number of rows by rounding only. */
  private static final double TOLERANCE = 1e-3;

  private static final long GROUP_BYTES = 16L << 20;

  private final OnnxGraph graph;
  private final Map<String, ValueType> types;

  /**
   * @param types of every tensor for one sample
   */
  CutProbe(OnnxGraph graph, Map<String, ValueType> types) {
    this.graph = graph;
    this.types = types;
  }

  /** Those of {@code tensors} that hold their samples one by one. */
  Set<String> byRow(List<String> tensors) throws OrtException {
    if (tensors.isEmpty()) {
      return Set.of();
    }
    ValueType two = graph.inputType().withFirst(ValueType.FREE);
    Set<String> kept = new LinkedHashSet<>();
    try (Arena arena = Arena.ofConfined();
        OrtSession session =
            Compute.onCaller()
                .session(GraphPart.showing(graph, two, tensors, Map.of()).write(arena))) {
      MemorySegment samples = samples(arena);
      for (List<String> group : groups(tensors)) {
        kept.addAll(agreeing(session, samples, group));
      }
    }
    return kept;
  }

  private List<List<String>> groups(List<String> tensors) {
    List<List<String>> groups = new ArrayList<>();
    long room = 0;
    for (String tensor : tensors) {
      long bytes = type(tensor).bytes();
      if (bytes > room) {
        groups.add(new ArrayList<>());
        room = GROUP_BYTES;
      }
      groups.getLast().add(tensor);
      room -= bytes;
    }
    return groups;
  }

  private Set<String> agreeing(OrtSession session, MemorySegment samples, List<String> group)
      throws OrtException {
    Set<String> wanted = Set.copyOf(group);
    Set<String> agreeing = new HashSet<>();
    long half = samples.byteSize() / 2;
    try (OnnxTensor both = tensor(samples, 2);
        OnnxTensor first = tensor(samples.asSlice(0, half), 1);
        OnnxTensor second = tensor(samples.asSlice(half), 1);
        OrtSession.Result together = run(session, both, wanted);
        OrtSession.Result one = run(session, first, wanted);
        OrtSession.Result two = run(session, second, wanted)) {
      for (String name : group) {
        if (agree(name, bytes(together, name), bytes(one, name), bytes(two, name))) {
          agreeing.add(name);
        }
      }
    }
    return agreeing;
  }

  private OrtSession.Result run(OrtSession session, OnnxTensor input, Set<String> wanted)
      throws OrtException {
    try {
      return session.run(Map.of(graph.input(), input), wanted);
    } catch (OrtException e) {
      if (input.getInfo().getShape()[0] == 1) {
        throw e;
      }
      throw refused(
          "the model cannot compute a batch of 2 ("
              + e.getMessage()
              + "): export it with a free batch dimension");
    }
  }

  private boolean agree(String name, ByteBuffer together, ByteBuffer one, ByteBuffer two) {
    if (together.remaining() != one.remaining() + two.remaining()
        || one.remaining() != type(name).bytes()) {
      return false;
    }
    ByteBuffer apart = ByteBuffer.allocate(together.remaining()).order(ByteOrder.nativeOrder());
    apart.put(one).put(two).flip();
    return switch (type(name).type()) {
      case FLOAT ->
          near(
              together.asFloatBuffer().limit(),
              i -> together.getFloat(4 * i),
              i -> apart.getFloat(4 * i));
      case DOUBLE ->
          near(
              together.asDoubleBuffer().limit(),
              i -> together.getDouble(8 * i),
              i -> apart.getDouble(8 * i));
      case FLOAT16 ->
          near(together.asShortBuffer().limit(), i -> half(together, i), i -> half(apart, i));
      default -> together.equals(apart);
    };
  }

  private static double half(ByteBuffer buffer, int index) {
    return Float.float16ToFloat(buffer.getShort(2 * index));
  }

  private interface Element {
    double at(int index);
  }

  private static boolean near(int count, Element left, Element right) {
    double largest = 0;
    double apart = 0;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, Math.abs(right.at(i)));
      double difference = Math.abs(left.at(i) - right.at(i));
      // what is not a number differs by what is not a number
      apart = Double.isNaN(difference) ? Double.MAX_VALUE : Math.max(apart, difference);
    }
    return apart <= TOLERANCE * largest;
  }

  private static ByteBuffer bytes(OrtSession.Result result, String name) {
    OnnxTensor tensor = (OnnxTensor) result.get(name).orElseThrow();
    return tensor.getByteBuffer().order(ByteOrder.nativeOrder());
  }

  private OnnxTensor tensor(MemorySegment memory, long count) throws OrtException {
    return Tensors.over(
        memory, graph.inputType().type(), Tensors.shape(graph.inputType().withFirst(count)));
  }

  /** Two different samples, the same each time. */
  private MemorySegment samples(Arena arena) {
    ValueType two = graph.inputType().withFirst(2);
    MemorySegment memory = arena.allocate(two.bytes(), 64);
    SplittableRandom random = new SplittableRandom(1);
    ElementType type = two.type();
    for (long offset = 0; offset < memory.byteSize(); offset += type.bytes()) {
      switch (type) {
        case FLOAT -> memory.set(ValueLayout.JAVA_FLOAT, offset, (float) random.nextDouble());
        case DOUBLE -> memory.set(ValueLayout.JAVA_DOUBLE, offset, random.nextDouble());
        case FLOAT16 ->
            memory.set(
                ValueLayout.JAVA_SHORT, offset, Float.floatToFloat16((float) random.nextDouble()));
        // small numbers only: they may be indices
        default -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) random.nextInt(2));
      }
    }
    return memory;
  }

  private ValueType type(String tensor) {
    ValueType type = types.get(tensor);
    if (type == null) {
      throw new IllegalStateException("no type for " + tensor);
    }
    return type;
  }
}
