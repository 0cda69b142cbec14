package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a TensorProto (onnx.proto): its elements must be in the file, as many as its shape says.
 *
 * <p>Threading: one thread.
 */
final class TensorReader {
  private static final int MAX_RANK = 16;

  private final MemorySegment proto;
  private final ModelLimits limits;
  private final List<Long> shape = new ArrayList<>();
  private String name = "";
  private long type;
  private long raw = -1;
  private long listed;

  private TensorReader(MemorySegment proto, ModelLimits limits) {
    this.proto = proto;
    this.limits = limits;
  }

  static Initialiser read(MemorySegment proto, ModelLimits limits) {
    return new TensorReader(proto, limits).read();
  }

  private Initialiser read() {
    ProtoReader reader = new ProtoReader(proto, "a constant");
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 1 -> lengths(reader);
        case 2 -> type = reader.number();
        case 4, 5, 7, 10, 11 -> listed += elements(reader);
        case 8 -> name = reader.text(limits.nameBytes());
        case 9 -> raw = Math.max(raw, 0) + reader.bytes().byteSize();
        case 13 -> throw external();
        case 14 -> {
          if (reader.number() != 0) {
            throw external();
          }
        }
        case 3 -> throw refused(what() + " comes in segments, which is not supported");
        default -> reader.skip();
      }
    }
    ElementType elements = ElementType.of(type, what());
    long bytes = new ValueType(elements, shape).bytes();
    check(elements, bytes);
    return new Initialiser(name, elements, shape, bytes, proto);
  }

  private void lengths(ProtoReader reader) {
    if (reader.isBytes()) {
      ProtoReader packed = new ProtoReader(reader.bytes(), what());
      while (!packed.atEnd()) {
        length(packed.varint());
      }
    } else {
      length(reader.number());
    }
  }

  private void length(long length) {
    if (length < 0 || shape.size() == MAX_RANK) {
      throw refused(what() + " has a dimension of " + length + " or more than " + MAX_RANK);
    }
    shape.add(length);
  }

  /** Bytes of a list of numbers; each number takes one byte at least. */
  private static long elements(ProtoReader reader) {
    if (reader.isBytes()) {
      return reader.bytes().byteSize();
    }
    reader.skip();
    return 8;
  }

  private void check(ElementType elements, long bytes) {
    if (raw >= 0 && listed == 0 && raw == bytes) {
      return;
    }
    boolean enough = raw < 0 && listed >= bytes / elements.bytes();
    if (!enough) {
      throw refused(
          what()
              + " of shape "
              + shape
              + " needs "
              + bytes
              + " bytes, the file holds "
              + Math.max(raw, listed)
              + ": it is damaged");
    }
  }

  private RuntimeException external() {
    return refused(
        what()
            + " keeps its elements in another file, which is never read: save the model with its weights inside");
  }

  private String what() {
    return name.isEmpty() ? "a constant" : "the constant " + name;
  }
}
