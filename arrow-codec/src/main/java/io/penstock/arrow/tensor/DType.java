package io.penstock.arrow.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The type of a tensor's elements: little-endian, without padding between elements, named as NumPy
 * names it. There is no {@code bool} (Arrow packs it into bits, tensors do not) and no {@code
 * bfloat16} (Arrow has no such type): decoders turn the first into {@link #UINT8} and the second
 * into {@link #FLOAT32}.
 */
public enum DType {
  UINT8(1),
  INT8(1),
  UINT16(2),
  INT16(2),
  UINT32(4),
  INT32(4),
  UINT64(8),
  INT64(8),
  FLOAT16(2),
  FLOAT32(4),
  FLOAT64(8);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** The element as Arrow names it. */
  public ArrowType arrowType() {
    return switch (this) {
      case UINT8, UINT16, UINT32, UINT64 -> new ArrowType.Int(bytes * Byte.SIZE, false);
      case INT8, INT16, INT32, INT64 -> new ArrowType.Int(bytes * Byte.SIZE, true);
      case FLOAT16 -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    };
  }

  /** The name in requests and metadata: {@code uint8}, {@code float32}, ... */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of that name, if there is one. Names are lower case. */
  public static Optional<DType> named(String text) {
    return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
  }

  /** The type that Arrow calls {@code arrowType}, if tensors may have it. */
  public static Optional<DType> of(ArrowType arrowType) {
    return Arrays.stream(values()).filter(type -> type.arrowType().equals(arrowType)).findFirst();
  }

  /** Every name, for messages that say what may be written. */
  public static String names() {
    return Arrays.stream(values()).map(DType::text).collect(Collectors.joining(", "));
  }
}
