package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The message that says what an input or output is (ValueInfoProto and TypeProto of onnx.proto).
 */
final class ValueInfo {
  private static final String BATCH = "batch";

  private ValueInfo() {}

  static String name(MemorySegment proto, ModelLimits limits) {
    ProtoReader reader = new ProtoReader(proto, "an input or output");
    String name = "";
    for (int field = reader.next(); field != 0; field = reader.next()) {
      if (field == 1) {
        name = reader.text(limits.nameBytes());
      } else {
        reader.skip();
      }
    }
    return name;
  }

  static ValueType type(MemorySegment proto, String what) {
    MemorySegment tensor = only(only(proto, 2, what), 1, what);
    ProtoReader reader = new ProtoReader(tensor, what);
    long element = 0;
    List<Long> shape = new ArrayList<>();
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 1 -> element = reader.number();
        case 2 -> shape = shape(reader.bytes(), what);
        default -> reader.skip();
      }
    }
    return new ValueType(ElementType.of(element, what), shape);
  }

  /** A batch of samples whose form is fixed. */
  static void checkInput(ValueType type, String name) {
    String what = "the input " + name + " " + type.shape();
    if (type.type().dtype().isEmpty()) {
      throw refused(what + " has elements of type " + type.type() + ", which batches do not have");
    }
    if (type.shape().isEmpty() || type.shape().getFirst() > 1) {
      throw refused(what + " has no free first dimension for the batch: export it with one");
    }
    ValueType sample = type.withFirst(1);
    if (!sample.isFixed() || sample.shape().contains(0L) || sample.bytes() > Integer.MAX_VALUE) {
      throw refused(
          what + " must have fixed dimensions behind the batch, below 2 GiB: export it so");
    }
  }

  /** The message for {@code name}, its first dimension free. */
  static ProtoWriter write(String name, ValueType type) {
    ProtoWriter shape = new ProtoWriter();
    for (int i = 0; i < type.shape().size(); i++) {
      long length = type.shape().get(i);
      shape.message(
          1, length < 0 ? new ProtoWriter().text(2, i == 0 ? BATCH : BATCH + i) : fixed(length));
    }
    ProtoWriter tensor = new ProtoWriter().number(1, type.type().code()).message(2, shape);
    return new ProtoWriter().text(1, name).message(2, new ProtoWriter().message(1, tensor));
  }

  /** The message for a tensor of which nothing but the name is known. */
  static ProtoWriter write(String name) {
    return new ProtoWriter().text(1, name);
  }

  private static ProtoWriter fixed(long length) {
    return new ProtoWriter().number(1, length);
  }

  private static MemorySegment only(MemorySegment proto, int wanted, String what) {
    ProtoReader reader = new ProtoReader(proto, what);
    MemorySegment found = null;
    for (int field = reader.next(); field != 0; field = reader.next()) {
      if (field == wanted) {
        found = reader.bytes();
      } else {
        reader.skip();
      }
    }
    if (found == null) {
      throw refused(what + " is not a tensor of known type: export the model again");
    }
    return found;
  }

  private static List<Long> shape(MemorySegment proto, String what) {
    ProtoReader reader = new ProtoReader(proto, what);
    List<Long> shape = new ArrayList<>();
    for (int field = reader.next(); field != 0; field = reader.next()) {
      if (field == 1) {
        shape.add(length(reader.bytes(), what));
        if (shape.size() > 16) {
          throw refused(what + " has more than 16 dimensions");
        }
      } else {
        reader.skip();
      }
    }
    return shape;
  }

  private static long length(MemorySegment proto, String what) {
    ProtoReader reader = new ProtoReader(proto, what);
    long length = ValueType.FREE;
    for (int field = reader.next(); field != 0; field = reader.next()) {
      if (field == 1) {
        length = reader.number();
        if (length < 0) {
          throw refused(what + " has a dimension of " + length);
        }
      } else {
        reader.skip();
      }
    }
    return length;
  }
}
