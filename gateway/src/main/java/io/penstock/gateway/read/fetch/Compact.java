package io.penstock.gateway.read.fetch;

import io.netty.buffer.ByteBuf;

/**
 * Buffers that wait must not take much more memory than they hold bytes: a receive buffer stays
 * allocated as a whole however little a slow connection put into it.
 *
 * <p>Threading: any.
 */
final class Compact {
  /** A buffer that wastes more than a quarter of its bytes is copied. */
  static final double MOST_WASTE = 0.25;

  private Compact() {}

  /** The same bytes, in little more memory than they need; takes {@code buffer} over. */
  static ByteBuf of(ByteBuf buffer) {
    ByteBuf root = buffer;
    while (root.unwrap() != null) {
      root = root.unwrap();
    }
    int bytes = buffer.readableBytes();
    if (bytes >= root.capacity() * (1 - MOST_WASTE)) {
      return buffer;
    }
    ByteBuf copy = buffer.alloc().directBuffer(bytes, bytes);
    copy.writeBytes(buffer);
    buffer.release();
    return copy;
  }

  /** What a part of so many bytes may take. */
  static long room(long bytes) {
    return (long) Math.ceil(bytes / (1 - MOST_WASTE));
  }
}
