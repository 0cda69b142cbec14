package io.penstock.arrow.wire;

import java.util.Arrays;

/** Numbers by row; rows that were not set have 0. */
final class LongColumn {
  private long[] values = new long[0];

  void set(int row, long value) {
    if (values.length <= row) {
      values = Arrays.copyOf(values, Math.max(16, row + row / 2 + 1));
    }
    values[row] = value;
  }

  long get(int row) {
    return row < values.length ? values[row] : 0;
  }

  long heapBytes() {
    return (long) Long.BYTES * values.length;
  }
}
