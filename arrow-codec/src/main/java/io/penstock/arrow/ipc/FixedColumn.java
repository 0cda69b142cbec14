package io.penstock.arrow.ipc;

import java.util.List;

/**
 * A column of numbers of one width (Arrow's integers and floating point numbers of 2 to 8 bytes) in
 * the making, on the heap.
 *
 * <p>Threading: one thread.
 */
public final class FixedColumn {
  private final Bitmap validity = new Bitmap();
  private final GrowingBytes values = new GrowingBytes();
  private final int width;

  private FixedColumn(int width) {
    this.width = width;
  }

  /** A column of 16-bit integers, with or without a sign. */
  public static FixedColumn int16() {
    return new FixedColumn(Short.BYTES);
  }

  /** A column of 64-bit integers. */
  public static FixedColumn int64() {
    return new FixedColumn(Long.BYTES);
  }

  /** A column of 64-bit floating point numbers. */
  public static FixedColumn float64() {
    return new FixedColumn(Double.BYTES);
  }

  /** Adds an integer, of which the column keeps its width's low bits. */
  public void add(long value) {
    validity.add(true);
    put(value);
  }

  /** Adds a floating point number to a column of those. */
  public void addDouble(double value) {
    add(Double.doubleToRawLongBits(value));
  }

  /** Adds a null. */
  public void addNull() {
    validity.add(false);
    put(0);
  }

  private void put(long value) {
    if (width == Long.BYTES) {
      values.room(width).putLong(value);
    } else {
      values.room(width).putShort((short) value);
    }
  }

  /** The column as it is now. */
  public ColumnBody body() {
    return new ColumnBody(
        List.of(new ColumnBody.Node(validity.length(), validity.nulls())),
        List.of(validity.buffer(), values.buffer()));
  }
}
