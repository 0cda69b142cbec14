package io.penstock.gateway.batch.landing;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import java.nio.ByteBuffer;

/**
 * Somebody's off-heap bytes as a buffer of Netty, without a copy.
 *
 * <p>Ownership: the bytes stay whose they are; {@code freed} is told once, when nobody uses them
 * any more.
 */
final class PartBuffer extends UnpooledUnsafeDirectByteBuf {
  private final Runnable freed;

  PartBuffer(ByteBuffer bytes, Runnable freed) {
    super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.remaining());
    this.freed = freed;
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    freed.run();
  }
}
