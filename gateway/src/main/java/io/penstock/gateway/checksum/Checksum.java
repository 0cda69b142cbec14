package io.penstock.gateway.checksum;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * One checksum being computed over bytes that arrive in pieces.
 *
 * <p>Threading: not thread safe.
 *
 * <p>Ownership: buffers are only read; indices and reference counts stay as they are.
 */
public abstract class Checksum {

  /** Takes in every readable byte of {@code bytes}. */
  public final void update(ByteBuf bytes) {
    if (bytes.nioBufferCount() == 1) {
      update(bytes.nioBuffer());
    } else {
      for (ByteBuffer part : bytes.nioBuffers()) {
        update(part);
      }
    }
  }

  /** Takes in every remaining byte and moves the position to the limit. */
  public abstract void update(ByteBuffer bytes);

  /** The checksum of all bytes so far, most significant byte first; call it once, at the end. */
  public abstract byte[] value();
}
