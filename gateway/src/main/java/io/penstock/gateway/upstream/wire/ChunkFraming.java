package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;

/**
 * What lies between the data of a chunked body (RFC 9112 section 7.1): sizes, extensions and the
 * trailer, which is checked for its end only. Every split position works, since it goes byte by
 * byte.
 *
 * <p>Threading: confined to its decoder.
 */
final class ChunkFraming {
  private static final int LINE_LIMIT = 8 * 1024;
  private static final int MAX_DIGITS = 15;

  private enum State {
    SIZE,
    EXTENSION,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER_START,
    TRAILER,
    TRAILER_LF,
    LAST_LF
  }

  private State state = State.SIZE;
  private long left;
  private int digits;
  private int lineLength;

  void reset() {
    nextSize();
  }

  boolean inData() {
    return state == State.DATA;
  }

  /** How many of {@code available} bytes belong to the current chunk; they count as taken. */
  int take(int available) {
    int taken = (int) Math.min(available, left);
    left -= taken;
    if (left == 0) {
      state = State.DATA_CR;
    }
    return taken;
  }

  /** Reads up to the next chunk's data or the end of the body; true at the end. */
  boolean readFraming(ByteBuf in) throws BadResponse {
    while (in.isReadable() && state != State.DATA) {
      byte b = in.readByte();
      if (++lineLength > LINE_LIMIT) {
        throw new BadResponse("a chunk's size line or the trailer is too long");
      }
      if (state == State.LAST_LF) {
        need(b == '\n');
        return true;
      }
      step(b);
    }
    return false;
  }

  private void step(byte b) throws BadResponse {
    switch (state) {
      case SIZE -> size(b);
      case EXTENSION -> {
        need(b != '\n');
        state = b == '\r' ? State.SIZE_LF : State.EXTENSION;
      }
      case SIZE_LF -> {
        need(b == '\n');
        state = left == 0 ? State.TRAILER_START : State.DATA;
      }
      case DATA_CR -> {
        need(b == '\r');
        state = State.DATA_LF;
      }
      case DATA_LF -> {
        need(b == '\n');
        nextSize();
      }
      case TRAILER_START -> state = b == '\r' ? State.LAST_LF : State.TRAILER;
      case TRAILER -> {
        need(b != '\n');
        state = b == '\r' ? State.TRAILER_LF : State.TRAILER;
      }
      case TRAILER_LF -> {
        need(b == '\n');
        state = State.TRAILER_START;
      }
      case DATA, LAST_LF -> throw new IllegalStateException("not framing: " + state);
    }
  }

  private void nextSize() {
    state = State.SIZE;
    left = 0;
    digits = 0;
    lineLength = 0;
  }

  private void size(byte b) throws BadResponse {
    int digit = Character.digit(b, 16);
    if (digit >= 0 && b > 0) {
      need(++digits <= MAX_DIGITS);
      left = left * 16 + digit;
      return;
    }
    need(digits > 0 && (b == '\r' || b == ';' || b == ' ' || b == '\t'));
    state = b == '\r' ? State.SIZE_LF : State.EXTENSION;
  }

  private static void need(boolean condition) throws BadResponse {
    if (!condition) {
      throw new BadResponse("broken chunk framing");
    }
  }
}
