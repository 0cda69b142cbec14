package io.penstock.arrow.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads numbers from a segment, one after the other or at a place; beyond its end is {@link
 * DecodeFault#TRUNCATED}.
 *
 * <p>Threading: one thread.
 */
final class ByteCursor {

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final MemorySegment bytes;
  private long at;

  ByteCursor(MemorySegment bytes, long at) {
    this.bytes = bytes;
    this.at = at;
  }

  long at() {
    return at;
  }

  long left() {
    return bytes.byteSize() - at;
  }

  void skip(long count) throws DecodeException {
    need(count);
    at += count;
  }

  int u8() throws DecodeException {
    need(1);
    return bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
  }

  int u16(ByteOrder order) throws DecodeException {
    need(Short.BYTES);
    int value = bytes.get(SHORT.withOrder(order), at) & 0xffff;
    at += Short.BYTES;
    return value;
  }

  long u32(ByteOrder order) throws DecodeException {
    need(Integer.BYTES);
    long value = bytes.get(INT.withOrder(order), at) & 0xffffffffL;
    at += Integer.BYTES;
    return value;
  }

  private void need(long count) throws DecodeException {
    if (count < 0 || count > left()) {
      throw DecodeException.truncated(
          "the object ends at byte %d, where more must follow".formatted(bytes.byteSize()));
    }
  }
}
