package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.penstock.dpu.memory.Reservation;

/**
 * The memory of one block, exactly as large as the block: a buffer of the pool under a reference
 * count of its own, so that the block can be sent to many clients at once and its charge ends when
 * the last of them has taken it, even if the block was evicted long before. Unlike a pooled buffer
 * the object is never used again after it was freed, so whoever comes too late to {@link #retain}
 * it gets an exception and not another block's bytes.
 *
 * <p>Threading: written by one thread before it is published, then read by any.
 *
 * <p>Ownership: begins with one reference, which belongs to whoever made it.
 */
final class BlockMemory extends UnpooledUnsafeDirectByteBuf {
  private final ByteBuf pooled;
  private final Reservation charge;

  /**
   * @param pooled exclusively this block's from now on; a direct buffer
   * @param charge closed when the last reference has gone
   */
  BlockMemory(ByteBuf pooled, int bytes, Reservation charge) {
    super(pooled.alloc(), pooled.nioBuffer(0, bytes), bytes);
    this.pooled = pooled;
    this.charge = charge;
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    pooled.release();
    charge.close();
  }
}
