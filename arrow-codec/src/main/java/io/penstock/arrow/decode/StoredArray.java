package io.penstock.arrow.decode;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * An array as it lies in a file: its form, and how to bring its bytes into a sample's.
 *
 * @param element what one stored element is
 * @param shape outermost dimension first; a length may be 0
 * @param columnMajor whether the first index runs fastest (Fortran's order)
 */
record StoredArray(Element element, List<Long> shape, boolean columnMajor) {

  private static final int HALF = 16;

  /** How elements are stored. */
  record Element(DType dtype, ByteOrder order, Encoding encoding) {

    static Element plain(DType dtype) {
      return new Element(dtype, ByteOrder.LITTLE_ENDIAN, Encoding.AS_IS);
    }

    int bytes() {
      return encoding == Encoding.BFLOAT16 ? Short.BYTES : dtype.bytes();
    }
  }

  /** What has to be done besides swapping bytes. */
  enum Encoding {
    AS_IS,
    /** The upper half of a {@code float32}. */
    BFLOAT16
  }

  /** Bytes of the whole array; {@link DecodeFault#TOO_LARGE} beyond 2^63. */
  long bytes() throws DecodeException {
    long bytes = element.bytes();
    try {
      for (long length : shape) {
        bytes = Math.multiplyExact(bytes, length);
      }
    } catch (ArithmeticException e) {
      throw new DecodeException(
          DecodeFault.TOO_LARGE, "an array of shape %s is impossible".formatted(shape), e);
    }
    return bytes;
  }

  /** Refuses an array that is not of the form asked for. */
  void check(TensorSpec wanted) throws DecodeException {
    boolean sameShape =
        shape.size() == wanted.shape().size()
            && shape.equals(wanted.shape().stream().map(Integer::longValue).toList());
    if (element.dtype() != wanted.dtype() || !sameShape) {
      throw DecodeException.mismatch(
          "stored is %s of shape %s, asked for was %s of shape %s"
              .formatted(element.dtype().text(), shape, wanted.dtype().text(), wanted.shape()));
    }
  }

  /** Writes {@code content}, {@link #bytes} long, in row-major order and little-endian. */
  void write(MemorySegment content, MemorySegment destination) {
    long count = content.byteSize() / element.bytes();
    if (columnMajor && shape.size() > 1) {
      writeTransposed(content, destination);
    } else if (element.encoding() == Encoding.BFLOAT16) {
      for (long i = 0; i < count; i++) {
        copyElement(content, i, destination, i);
      }
    } else {
      copy(content, 0, destination, 0, count);
    }
  }

  private void copyElement(MemorySegment from, long at, MemorySegment to, long index) {
    if (element.encoding() == Encoding.BFLOAT16) {
      int bits = from.get(shorts(element.order()), at * Short.BYTES) << HALF;
      to.set(ints(ByteOrder.LITTLE_ENDIAN), index * Integer.BYTES, bits);
    } else {
      copy(from, at, to, index, 1);
    }
  }

  /** Copies elements; lengths of 8 bytes and less are swapped by the layouts. */
  private void copy(MemorySegment from, long at, MemorySegment to, long index, long count) {
    int bytes = element.bytes();
    ByteOrder little = ByteOrder.LITTLE_ENDIAN;
    ByteOrder order = element.order();
    switch (bytes) {
      case Short.BYTES ->
          MemorySegment.copy(
              from, shorts(order), at * bytes, to, shorts(little), index * bytes, count);
      case Integer.BYTES ->
          MemorySegment.copy(from, ints(order), at * bytes, to, ints(little), index * bytes, count);
      case Long.BYTES ->
          MemorySegment.copy(
              from, longs(order), at * bytes, to, longs(little), index * bytes, count);
      default -> MemorySegment.copy(from, at, to, index, count);
    }
  }

  private void writeTransposed(MemorySegment content, MemorySegment destination) {
    int dimensions = shape.size();
    long[] index = new long[dimensions];
    long[] stride = new long[dimensions];
    stride[0] = 1;
    for (int i = 1; i < dimensions; i++) {
      stride[i] = stride[i - 1] * shape.get(i - 1);
    }
    long count = content.byteSize() / element.bytes();
    long at = 0;
    for (long i = 0; i < count; i++) {
      copyElement(content, at, destination, i);
      for (int d = dimensions - 1; d >= 0; d--) {
        at += stride[d];
        if (++index[d] < shape.get(d)) {
          break;
        }
        at -= stride[d] * shape.get(d);
        index[d] = 0;
      }
    }
  }

  private static ValueLayout.OfShort shorts(ByteOrder order) {
    return ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
  }

  private static ValueLayout.OfInt ints(ByteOrder order) {
    return ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
  }

  private static ValueLayout.OfLong longs(ByteOrder order) {
    return ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
  }
}
