package io.penstock.arrow.decode;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Types of columns that are read from text. */
public enum ColumnType {
  BOOLEAN,
  INT32,
  INT64,
  FLOAT32,
  FLOAT64,
  STRING;

  public ArrowType arrowType() {
    return switch (this) {
      case BOOLEAN -> new ArrowType.Bool();
      case INT32 -> new ArrowType.Int(Integer.SIZE, true);
      case INT64 -> new ArrowType.Int(Long.SIZE, true);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case STRING -> new ArrowType.Utf8();
    };
  }

  /** The name in requests. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ColumnType> named(String text) {
    return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
  }
}
