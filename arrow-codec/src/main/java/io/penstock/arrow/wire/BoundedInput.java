package io.penstock.arrow.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends after {@code limit} bytes, and knows whether there was more. */
final class BoundedInput extends FilterInputStream {
  private long left;
  private boolean exceeded;

  BoundedInput(InputStream input, long limit) {
    super(input);
    this.left = limit;
  }

  boolean exceeded() {
    return exceeded;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int at, int length) throws IOException {
    if (left == 0) {
      exceeded = exceeded || super.read() >= 0;
      return -1;
    }
    int got = super.read(target, at, (int) Math.min(length, left));
    left -= Math.max(got, 0);
    return got;
  }
}
