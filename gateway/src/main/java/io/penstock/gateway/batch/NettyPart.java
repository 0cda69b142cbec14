package io.penstock.gateway.batch;

import io.netty.buffer.ByteBuf;
import io.penstock.arrow.ipc.BodyPart;
import java.nio.ByteBuffer;

/**
 * Payload in the buffer in which it came from the store.
 *
 * <p>Ownership: owns the buffer and {@code charged} bytes of {@code memory}.
 */
record NettyPart(ByteBuf buffer, long charged, RunMemory memory) implements BodyPart {

  @Override
  public int bytes() {
    return buffer.readableBytes();
  }

  @Override
  public ByteBuffer view() {
    return buffer.nioBuffer();
  }

  @Override
  public void release() {
    buffer.release();
    memory.giveBack(charged);
  }
}
