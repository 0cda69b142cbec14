package io.penstock.arrow.decode;

import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.Validity;
import java.math.BigInteger;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;

/**
 * Copies one batch of a Parquet column behind what a vector already holds.
 *
 * <p>Threading: one thread.
 */
final class ParquetValues {

  private final FieldVector vector;
  private final ColumnReader reader;

  ParquetValues(FieldVector vector, ColumnReader reader) {
    this.vector = vector;
    this.reader = reader;
  }

  /** Copies the batch to rows from {@code row} on. */
  void append(int row) throws DecodeException {
    int count = reader.getValueCount();
    Validity validity = reader.getLeafValidity();
    switch (reader.getColumnSchema().type()) {
      case BOOLEAN -> {
        boolean[] values = reader.getBooleans();
        BitVector bits = (BitVector) vector;
        each(count, validity, i -> bits.setSafe(row + i, values[i] ? 1 : 0));
      }
      case INT32 -> ints(row, count, validity, reader.getInts());
      case INT64 -> longs(row, count, validity, reader.getLongs());
      case FLOAT -> {
        float[] values = reader.getFloats();
        fixed(row, count, validity, i -> Float.floatToRawIntBits(values[i]), Float.BYTES);
      }
      case DOUBLE -> {
        double[] values = reader.getDoubles();
        fixed(row, count, validity, i -> Double.doubleToRawLongBits(values[i]), Double.BYTES);
      }
      default -> binaries(row, count, validity);
    }
  }

  @FunctionalInterface
  private interface Setter {
    void set(int index) throws DecodeException;
  }

  @FunctionalInterface
  private interface Bits {
    long of(int index);
  }

  private static void each(int count, Validity validity, Setter setter) throws DecodeException {
    for (int i = 0; i < count; i++) {
      if (validity.isNotNull(i)) {
        setter.set(i);
      }
    }
  }

  private void ints(int row, int count, Validity validity, int[] values) throws DecodeException {
    switch (vector) {
      case TinyIntVector bytes -> each(count, validity, i -> bytes.setSafe(row + i, values[i]));
      case UInt1Vector bytes -> each(count, validity, i -> bytes.setSafe(row + i, values[i]));
      case SmallIntVector shorts -> each(count, validity, i -> shorts.setSafe(row + i, values[i]));
      case UInt2Vector shorts -> each(count, validity, i -> shorts.setSafe(row + i, values[i]));
      case DecimalVector decimals ->
          each(count, validity, i -> decimals.setSafe(row + i, (long) values[i]));
      default -> fixed(row, count, validity, i -> values[i], Integer.BYTES);
    }
  }

  private void longs(int row, int count, Validity validity, long[] values) throws DecodeException {
    if (vector instanceof DecimalVector decimals) {
      each(count, validity, i -> decimals.setSafe(row + i, values[i]));
    } else {
      fixed(row, count, validity, i -> values[i], Long.BYTES);
    }
  }

  /** Values of 4 or 8 bytes, whatever the vector calls them. */
  private void fixed(int row, int count, Validity validity, Bits values, int width)
      throws DecodeException {
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    while (fixed.getValueCapacity() < row + count) {
      fixed.reAlloc();
    }
    each(
        count,
        validity,
        i -> {
          long at = (long) (row + i) * width;
          if (width == Integer.BYTES) {
            fixed.getDataBuffer().setInt(at, (int) values.of(i));
          } else {
            fixed.getDataBuffer().setLong(at, values.of(i));
          }
          fixed.setIndexDefined(row + i);
        });
  }

  private void binaries(int row, int count, Validity validity) throws DecodeException {
    byte[] bytes = reader.getBinaryValues();
    int[] offsets = reader.getBinaryOffsets();
    each(count, validity, i -> binary(row + i, bytes, offsets[i], offsets[i + 1] - offsets[i]));
  }

  private void binary(int row, byte[] bytes, int at, int length) throws DecodeException {
    switch (vector) {
      case BaseVariableWidthVector texts -> texts.setSafe(row, bytes, at, length);
      case FixedSizeBinaryVector fixed -> {
        byte[] value = java.util.Arrays.copyOfRange(bytes, at, at + length);
        if (length != fixed.getByteWidth()) {
          throw DecodeException.corrupt("a value of the Parquet file has a wrong length");
        }
        fixed.setSafe(row, value);
      }
      case Float2Vector halves ->
          halves.setSafe(row, (short) ((bytes[at] & 0xff) | (bytes[at + 1] << Byte.SIZE)));
      case DecimalVector decimals -> {
        BigInteger unscaled = new BigInteger(bytes, at, length);
        if (unscaled.bitLength() > Long.SIZE * 2 - 1) {
          throw DecodeException.corrupt("a decimal of the Parquet file has too many digits");
        }
        decimals.setBigEndianSafe(row, unscaled.toByteArray());
      }
      default -> throw new IllegalStateException("no column of bytes: " + vector.getField());
    }
  }
}
