package io.penstock.loadtest.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Text that is sent many times, as bytes outside the heap.
 *
 * <p>Threading: any. Ownership: the buffer cannot be released; its memory goes with the last
 * reference, like any other object.
 */
public final class Ascii {
  private Ascii() {}

  public static ByteBuf constant(CharSequence text) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct));
  }
}
