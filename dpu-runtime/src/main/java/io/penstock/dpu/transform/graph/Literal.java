package io.penstock.dpu.transform.graph;

import java.lang.foreign.MemorySegment;

/**
 * The value of a tensor.
 *
 * @param elements little-endian, row-major
 */
public record Literal(ValueType type, byte[] elements) {

  /** The message (TensorProto) that gives {@code name} this value. */
  ProtoWriter write(String name) {
    ProtoWriter tensor = new ProtoWriter();
    type.shape().forEach(length -> tensor.number(1, length));
    return tensor
        .number(2, type.type().code())
        .text(8, name)
        .message(9, MemorySegment.ofArray(elements));
  }
}
