package io.penstock.arrow.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Texts by row, set in rising order of rows; rows that were not set have none. */
final class TextColumn {
  private byte[] bytes = new byte[0];
  private int[] ends = new int[0];
  private int rows;

  /** An empty text is none. */
  void set(int row, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (ends.length <= row) {
      ends = Arrays.copyOf(ends, Math.max(16, row + row / 2 + 1));
    }
    int end = rows == 0 ? 0 : ends[rows - 1];
    Arrays.fill(ends, rows, row, end);
    int wanted = Math.addExact(end, utf8.length);
    if (bytes.length < wanted) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, wanted * 3L / 2 + 64));
    }
    System.arraycopy(utf8, 0, bytes, end, utf8.length);
    ends[row] = wanted;
    rows = row + 1;
  }

  Optional<String> get(int row) {
    if (row >= rows) {
      return Optional.empty();
    }
    int begin = row == 0 ? 0 : ends[row - 1];
    return begin == ends[row]
        ? Optional.empty()
        : Optional.of(new String(bytes, begin, ends[row] - begin, StandardCharsets.UTF_8));
  }

  long heapBytes() {
    return bytes.length + (long) Integer.BYTES * ends.length;
  }
}
