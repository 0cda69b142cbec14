package io.penstock.loadtest.lab.consumer;

import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockSource;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One direct buffer that is handed out again and again, as a consumer that copies a batch to its
 * GPU would use it.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: at most one block is out at a time; a second one gets memory of its own.
 */
final class ReusedBlocks implements BlockSource {
  private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
  private boolean out;

  @Override
  public Block allocate(long bytes) {
    int room = Math.toIntExact(bytes + ALIGNMENT);
    if (out) {
      return new One(aligned(ByteBuffer.allocateDirect(room), bytes), () -> {});
    }
    if (buffer.capacity() < room) {
      buffer = ByteBuffer.allocateDirect(room);
    }
    out = true;
    return new One(aligned(buffer, bytes), () -> out = false);
  }

  private static MemorySegment aligned(ByteBuffer buffer, long bytes) {
    MemorySegment whole = MemorySegment.ofBuffer(buffer.duplicate().clear());
    return whole.asSlice(-whole.address() & (ALIGNMENT - 1), bytes);
  }

  private record One(MemorySegment segment, Runnable giveBack, AtomicBoolean closed)
      implements Block {
    One(MemorySegment segment, Runnable giveBack) {
      this(segment, giveBack, new AtomicBoolean());
    }

    @Override
    public void close() {
      if (closed.getAndSet(true)) {
        throw new IllegalStateException("a block closed twice");
      }
      giveBack.run();
    }
  }
}
