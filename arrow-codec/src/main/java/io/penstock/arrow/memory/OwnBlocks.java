package io.penstock.arrow.memory;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Blocks of this process's memory, up to a limit, for a reader that brings no memory of its own.
 *
 * <p>Threading: any thread.
 *
 * <p>Ownership: {@link #close} comes after the last block, and says on a leak that there was one.
 */
public final class OwnBlocks implements BlockSource, AutoCloseable {
  private final BufferAllocator allocator;
  private final BlockSource blocks;

  /** At most {@code limit} bytes at a time. */
  public OwnBlocks(long limit) {
    this.allocator = new RootAllocator(limit);
    this.blocks = new ArrowBlockSource(allocator);
  }

  @Override
  public Block allocate(long bytes) {
    return blocks.allocate(bytes);
  }

  @Override
  public void close() {
    allocator.close();
  }
}
