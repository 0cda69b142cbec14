package io.penstock.gateway.batch;

import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Memory of the tables of one batch: what was claimed for them is the limit, and each buffer's
 * bytes go back to the stream's memory when it is released, which may be long after the batch was
 * sealed.
 *
 * <p>Threading: buffers may be released on any thread, everything else on one.
 *
 * <p>Ownership: of the claimed bytes that are in no buffer, until {@link #close}.
 */
final class TableMemory implements AllocationListener, AutoCloseable {
  private final RunMemory memory;
  // not closed: it holds nothing of its own, and buffers outlive this
  private final BufferAllocator allocator;
  private long free;
  private boolean closed;

  TableMemory(RunMemory memory, long claimed) {
    this.memory = memory;
    this.free = claimed;
    this.allocator = new RootAllocator(this, claimed);
  }

  BufferAllocator allocator() {
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
    memory.giveBack(size);
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
    memory.giveBack(rest);
  }
}
