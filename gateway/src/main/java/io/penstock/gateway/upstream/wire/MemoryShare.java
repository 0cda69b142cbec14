package io.penstock.gateway.upstream.wire;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.function.LongSupplier;

/**
 * Lets a receive buffer take at most a 1,024th of the memory that is still free, so that what is
 * left shrinks ever slower as slow readers pile up and never runs out: 1,000 readers that hold one
 * buffer each take 62 % of the limit, 2,000 take 86 %. Buffers stay at their best size while more
 * than 256 MiB are free.
 *
 * <p>Threading: safe. Figures may be a few reads old.
 */
public final class MemoryShare implements ReceiveBound {
  private static final int SHARE = 1024;
  private static final int STEP = 4 * 1024;
  private static final int SMALLEST = 16 * 1024;
  private static final int SAMPLE_EVERY = 16;

  private final LongSupplier usedBytes;
  private final long limit;
  // races only make a sample come earlier or later
  private int reads;
  private volatile int bound;

  public MemoryShare(LongSupplier usedBytes, long limit) {
    this.usedBytes = usedBytes;
    this.limit = limit;
    this.bound = bound(usedBytes.getAsLong(), limit);
  }

  /** By the bytes that buffers of the wire's allocator take, wherever they are held. */
  public static MemoryShare ofPooledBuffers(long limit) {
    return new MemoryShare(PooledByteBufAllocator.DEFAULT::pinnedDirectMemory, limit);
  }

  @Override
  public int atMost(int wanted) {
    if (++reads % SAMPLE_EVERY == 0) {
      bound = bound(usedBytes.getAsLong(), limit);
    }
    return Math.min(wanted, bound);
  }

  static int bound(long used, long limit) {
    long share = Math.max(0, limit - used) / SHARE;
    long rounded = share - share % STEP;
    return (int) Math.min(Integer.MAX_VALUE, Math.max(SMALLEST, rounded));
  }
}
