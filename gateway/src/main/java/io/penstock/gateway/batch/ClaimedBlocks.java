package io.penstock.gateway.batch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.memory.BlockSource;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Blocks of one stream's memory: first from what was claimed for them, then from what is free.
 *
 * <p>Threading: any thread.
 *
 * <p>Ownership: a block's bytes go back to the stream's memory when it is closed; what was claimed
 * and not used, by {@link #close}.
 */
final class ClaimedBlocks implements BlockSource, AutoCloseable {
  private final RunMemory memory;
  private long claimed;

  /** Blocks out of {@code claimed} bytes that the caller has claimed already. */
  ClaimedBlocks(RunMemory memory, long claimed) {
    this.memory = memory;
    this.claimed = claimed;
  }

  /** What a block of that size takes. */
  static long cost(long bytes) {
    return Math.addExact(bytes, ALIGNMENT);
  }

  @Override
  public Block allocate(long bytes) {
    long cost = cost(bytes);
    if (cost > Integer.MAX_VALUE || !take(cost)) {
      throw new BlockExhaustedException(
          "no room for %d bytes: ask for smaller batches, or later".formatted(bytes));
    }
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer((int) cost);
    MemorySegment whole = MemorySegment.ofBuffer(buffer.nioBuffer(0, (int) cost));
    long begin = -whole.address() & (ALIGNMENT - 1);
    return new PooledBlock(buffer, whole.asSlice(begin, bytes), cost, memory, new AtomicBoolean());
  }

  private synchronized boolean take(long cost) {
    if (claimed >= cost) {
      claimed -= cost;
      return true;
    }
    return memory.tryClaim(cost);
  }

  /** Gives back what was claimed and is in no block. */
  @Override
  public synchronized void close() {
    memory.giveBack(claimed);
    claimed = 0;
  }

  private record PooledBlock(
      ByteBuf buffer, MemorySegment segment, long cost, RunMemory memory, AtomicBoolean closed)
      implements Block {
    @Override
    public void close() {
      if (closed.getAndSet(true)) {
        throw new IllegalStateException("a block of " + cost + " bytes closed twice");
      }
      buffer.release();
      memory.giveBack(cost);
    }
  }
}
