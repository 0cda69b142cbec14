package io.penstock.arrow.ipc;

import java.nio.ByteBuffer;

/**
 * A few bytes on the heap: offsets, bitmaps, metadata. Those that follow each other are joined
 * before they reach a sink.
 *
 * @param array holds the bytes at its beginning, and is not changed any more
 */
record HeapPart(byte[] array, int bytes) implements BodyPart {
  HeapPart(byte[] array) {
    this(array, array.length);
  }

  @Override
  public ByteBuffer view() {
    return ByteBuffer.wrap(array, 0, bytes).slice();
  }

  @Override
  public void release() {}
}
