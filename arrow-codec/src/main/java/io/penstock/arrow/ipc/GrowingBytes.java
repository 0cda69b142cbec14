package io.penstock.arrow.ipc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Little-endian bytes that grow at their end. */
final class GrowingBytes {
  private ByteBuffer buffer = allocate(256);

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      long wanted = Math.max((long) buffer.position() + bytes, 2L * buffer.capacity());
      if ((long) buffer.position() + bytes > Integer.MAX_VALUE - 64) {
        throw new IllegalStateException("a column above 2 GiB of text: send smaller batches");
      }
      ByteBuffer larger = allocate((int) Math.min(wanted, Integer.MAX_VALUE - 64));
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }

  int length() {
    return buffer.position();
  }

  BodyBuffer buffer() {
    byte[] bytes = new byte[buffer.position()];
    buffer.get(0, bytes);
    return BodyBuffer.heap(bytes);
  }
}
