package io.penstock.dpu.transform.graph;

import java.util.List;

/**
 * Type and shape of a tensor, as far as known.
 *
 * @param shape lengths; {@link #FREE} for one that is not fixed
 */
public record ValueType(ElementType type, List<Long> shape) {
  /** A length that is not fixed. */
  public static final long FREE = -1;

  public ValueType {
    shape = List.copyOf(shape);
  }

  /** The same with another first length. */
  public ValueType withFirst(long length) {
    var lengths = new java.util.ArrayList<>(shape);
    lengths.set(0, length);
    return new ValueType(type, lengths);
  }

  /** Every length is known. */
  public boolean isFixed() {
    return shape.stream().noneMatch(length -> length < 0);
  }

  /** Bytes of all elements; {@code Long.MAX_VALUE} when that is more than a long holds. */
  public long bytes() {
    long bytes = type.bytes();
    for (long length : shape) {
      if (length != 0 && bytes > Long.MAX_VALUE / length) {
        return Long.MAX_VALUE;
      }
      bytes *= length;
    }
    return bytes;
  }
}
