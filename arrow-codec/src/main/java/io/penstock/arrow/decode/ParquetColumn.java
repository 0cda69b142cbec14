package io.penstock.arrow.decode;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.schema.ColumnSchema;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Which Arrow type holds a Parquet column (Parquet's LogicalTypes.md). Flat columns only; the
 * deprecated INT96 and what has no Arrow type are refused.
 */
final class ParquetColumn {

  private static final int DECIMAL_BITS = 128;
  private static final int MAX_PRECISION = 38;

  private ParquetColumn() {}

  static Field field(ColumnSchema column) throws DecodeException {
    if (column.maxRepetitionLevel() > 0 || column.fieldPath().elements().size() != 1) {
      throw refused(column, "is nested");
    }
    ArrowType type =
        switch (column.type()) {
          case BOOLEAN -> new ArrowType.Bool();
          case INT32 -> int32(column);
          case INT64 -> int64(column);
          case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
          case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
          case BYTE_ARRAY -> bytes(column);
          case FIXED_LEN_BYTE_ARRAY -> fixedBytes(column);
          case INT96 -> throw refused(column, "has the deprecated type INT96");
        };
    return Field.nullable(column.name(), type);
  }

  private static ArrowType int32(ColumnSchema column) throws DecodeException {
    return switch (column.logicalType()) {
      case null -> new ArrowType.Int(Integer.SIZE, true);
      case LogicalType.IntType type -> integer(column, type, Integer.SIZE);
      case LogicalType.DateType _ -> new ArrowType.Date(DateUnit.DAY);
      case LogicalType.TimeType _ -> new ArrowType.Time(TimeUnit.MILLISECOND, Integer.SIZE);
      case LogicalType.DecimalType type -> decimal(column, type);
      default -> throw refused(column, "has a type that is not known");
    };
  }

  private static ArrowType int64(ColumnSchema column) throws DecodeException {
    return switch (column.logicalType()) {
      case null -> new ArrowType.Int(Long.SIZE, true);
      case LogicalType.IntType type -> integer(column, type, Long.SIZE);
      case LogicalType.TimestampType type ->
          new ArrowType.Timestamp(unit(type.unit()), type.isAdjustedToUTC() ? "UTC" : null);
      case LogicalType.TimeType type -> new ArrowType.Time(unit(type.unit()), Long.SIZE);
      case LogicalType.DecimalType type -> decimal(column, type);
      default -> throw refused(column, "has a type that is not known");
    };
  }

  private static ArrowType integer(ColumnSchema column, LogicalType.IntType type, int storedBits)
      throws DecodeException {
    boolean known =
        switch (type.bitWidth()) {
          case Byte.SIZE, Short.SIZE, Integer.SIZE -> storedBits == Integer.SIZE;
          case Long.SIZE -> storedBits == Long.SIZE;
          default -> false;
        };
    if (!known) {
      throw refused(column, "has integers of %d bits".formatted(type.bitWidth()));
    }
    return new ArrowType.Int(type.bitWidth(), type.isSigned());
  }

  private static ArrowType bytes(ColumnSchema column) throws DecodeException {
    return switch (column.logicalType()) {
      case LogicalType.StringType _, LogicalType.EnumType _, LogicalType.JsonType _ ->
          new ArrowType.Utf8();
      case LogicalType.DecimalType type -> decimal(column, type);
      case null, default -> new ArrowType.Binary();
    };
  }

  private static ArrowType fixedBytes(ColumnSchema column) throws DecodeException {
    int length = column.typeLength() == null ? 0 : column.typeLength();
    if (length < 1) {
      throw refused(column, "states no length");
    }
    return switch (column.logicalType()) {
      case LogicalType.Float16Type _ when length == Short.BYTES ->
          new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case LogicalType.DecimalType type -> decimal(column, type);
      case null, default -> new ArrowType.FixedSizeBinary(length);
    };
  }

  private static ArrowType decimal(ColumnSchema column, LogicalType.DecimalType type)
      throws DecodeException {
    if (type.precision() < 1 || type.precision() > MAX_PRECISION) {
      throw refused(column, "has decimals of %d digits".formatted(type.precision()));
    }
    return new ArrowType.Decimal(type.precision(), type.scale(), DECIMAL_BITS);
  }

  private static TimeUnit unit(LogicalType.TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> TimeUnit.MILLISECOND;
      case MICROS -> TimeUnit.MICROSECOND;
      case NANOS -> TimeUnit.NANOSECOND;
    };
  }

  private static DecodeException refused(ColumnSchema column, String why) {
    return DecodeException.unsupported(
        "column %s %s: name other columns in the decode spec"
            .formatted(DecodeException.quoted(column.fieldPath().toString()), why));
  }
}
