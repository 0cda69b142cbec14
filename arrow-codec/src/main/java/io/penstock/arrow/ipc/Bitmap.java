package io.penstock.arrow.ipc;

import java.util.Arrays;

/**
 * Arrow's validity bitmap in the making: bit i of byte i/8, least significant first, 1 is valid.
 */
final class Bitmap {
  private byte[] bits = new byte[16];
  private int length;
  private int nulls;

  void add(boolean valid) {
    if (length >> 3 == bits.length) {
      bits = Arrays.copyOf(bits, bits.length * 2);
    }
    if (valid) {
      bits[length >> 3] |= (byte) (1 << (length & 7));
    } else {
      nulls++;
    }
    length++;
  }

  int length() {
    return length;
  }

  int nulls() {
    return nulls;
  }

  /** The bitmap, or nothing where every value is valid. */
  BodyBuffer buffer() {
    return nulls == 0 ? BodyBuffer.ABSENT : BodyBuffer.heap(Arrays.copyOf(bits, (length + 7) >> 3));
  }
}
