package io.penstock.arrow.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Blocks from one of Arrow's allocators, which bounds them and says on its own {@code close()} what
 * was not given back.
 *
 * <p>Threading: as the allocator, which any thread may use.
 *
 * <p>Ownership: the allocator stays its creator's, who closes it after the last block.
 */
public final class ArrowBlockSource implements BlockSource {
  private final BufferAllocator allocator;

  /** Blocks within the limit of {@code allocator}. */
  public ArrowBlockSource(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public Block allocate(long bytes) {
    // malloc aligns to 16 only: ask for what it takes to begin at the next 64
    ArrowBuf buffer;
    try {
      buffer = allocator.buffer(Math.addExact(bytes, ALIGNMENT));
    } catch (OutOfMemoryException e) {
      throw new BlockExhaustedException(
          "no room for %d bytes in allocator %s, which holds %d of at most %d: close batches first"
              .formatted(
                  bytes, allocator.getName(), allocator.getAllocatedMemory(), allocator.getLimit()),
          e);
    }
    long address = -(-buffer.memoryAddress() & -ALIGNMENT);
    return new ArrowBlock(buffer, MemorySegment.ofAddress(address).reinterpret(bytes));
  }

  private static final class ArrowBlock implements Block {
    private final ArrowBuf buffer;
    private final MemorySegment segment;
    private final AtomicBoolean closed = new AtomicBoolean();

    ArrowBlock(ArrowBuf buffer, MemorySegment segment) {
      this.buffer = buffer;
      this.segment = segment;
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      if (closed.getAndSet(true)) {
        throw new IllegalStateException("a block of " + segment.byteSize() + " bytes closed twice");
      }
      buffer.close();
    }
  }
}
