package io.penstock.arrow.memory;

import java.util.function.LongConsumer;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Memory of tables, out of bytes that somebody has set aside for them: these are the limit, and
 * each buffer's bytes are given back when it is released, which may be long after {@link #close}.
 *
 * <p>Threading: buffers may be released on any thread, everything else on one.
 *
 * <p>Ownership: of the bytes that are in no buffer, until {@link #close}.
 */
public final class TableMemory implements AllocationListener, AutoCloseable {
  private final LongConsumer giveBack;
  // not closed: it holds nothing of its own, and buffers outlive this
  private final BufferAllocator allocator;
  private long free;
  private boolean closed;

  /**
   * Memory out of {@code bytes}.
   *
   * @param giveBack takes them back, piece by piece, on any thread
   */
  public TableMemory(long bytes, LongConsumer giveBack) {
    this.giveBack = giveBack;
    this.free = bytes;
    this.allocator = new RootAllocator(this, bytes);
  }

  /** Where vectors get their buffers. */
  public BufferAllocator allocator() {
    return allocator;
  }

  @Override
  public synchronized void onAllocation(long size) {
    free -= size;
  }

  @Override
  public void onRelease(long size) {
    synchronized (this) {
      if (!closed) {
        free += size;
        return;
      }
    }
    giveBack.accept(size);
  }

  /** Gives back what no buffer holds; nothing is allocated any more. */
  @Override
  public void close() {
    long rest;
    synchronized (this) {
      closed = true;
      rest = free;
      free = 0;
    }
    giveBack.accept(rest);
  }
}
