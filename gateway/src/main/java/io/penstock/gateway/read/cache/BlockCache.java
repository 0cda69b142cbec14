package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of all objects, in off-heap memory that is charged to {@link MemoryArea#CACHE} before
 * it is allocated. Where there is no room the block that {@link Admission} chooses makes some; if
 * that is not enough, a block is not kept, which is never an error. {@link #reclaim} gives memory
 * back to whoever needs it more.
 *
 * <p>Threading: any thread; readers take no lock.
 *
 * <p>Ownership: holds one reference to the memory of each block in it, {@link #close} drops all.
 */
final class BlockCache implements AutoCloseable {
  private static final int TRIES = 3;

  private final MemoryBudget budget;
  private final ByteBufAllocator allocator;
  private final long limit;
  private final DiskBlocks disk;
  private final CacheObserver observer;
  private final Object lock = new Object();
  private final Admission<Block> admission = new Admission<>();
  private boolean closed;

  /**
   * @param limit most bytes to hold, of what the budget has for caches
   */
  BlockCache(
      MemoryBudget budget,
      ByteBufAllocator allocator,
      long limit,
      DiskBlocks disk,
      CacheObserver observer) {
    this.budget = budget;
    this.allocator = allocator;
    this.limit = Math.min(limit, budget.usage(MemoryArea.CACHE).limit());
    this.disk = disk;
    this.observer = observer;
  }

  /** Most bytes that will ever be held. */
  long limit() {
    return limit;
  }

  /** What does not fit, or was here before a restart. */
  DiskBlocks disk() {
    return disk;
  }

  /** Memory for one block, which the caller publishes or releases; null if there is no room. */
  @Nullable BlockMemory allocate(int bytes) {
    for (int i = 0; i < TRIES; i++) {
      Optional<Reservation> charge =
          budget.usage(MemoryArea.CACHE).used() + bytes <= limit
              ? budget.tryReserve(new MemoryClaim(MemoryArea.CACHE, bytes, "cache block"))
              : Optional.empty();
      if (charge.isPresent()) {
        return allocate(bytes, charge.get());
      }
      if (bytes > limit || evict(bytes) == 0) {
        break;
      }
    }
    observer.refused(bytes);
    return null;
  }

  private @Nullable BlockMemory allocate(int bytes, Reservation charge) {
    try {
      ByteBuf pooled = allocator.directBuffer(bytes, bytes);
      return new BlockMemory(pooled, bytes, charge);
    } catch (OutOfMemoryError full) {
      // the pool's chunks are larger than what is charged; the cache is the first to go without
      charge.close();
      observer.refused(bytes);
      return null;
    }
  }

  /**
   * Takes a whole block in, or drops it if its version is no longer the current one or the block is
   * here already.
   *
   * @param memory belongs to the cache from now on
   * @param ahead whether it was brought before anybody asked for it
   */
  void publish(ObjectEntry entry, int index, BlockMemory memory, boolean ahead) {
    Block block = new Block(entry, index, memory);
    if (ahead) {
      block.discountFirstUse();
    }
    boolean added;
    synchronized (lock) {
      added = !closed && entry.add(block);
      if (added) {
        admission.admit(block);
      }
    }
    if (added) {
      observer.filled(block.weight());
    } else {
      memory.release();
    }
  }

  /** Ends an entry and lets go of its blocks. */
  void drop(ObjectEntry entry) {
    List<Block> dropped;
    synchronized (lock) {
      entry.retire();
      dropped = entry.blocks();
      dropped.forEach(this::remove);
    }
    dropped.forEach(block -> block.memory().release());
  }

  /** Lets go of blocks that were brought ahead and that nobody has come for. */
  void dropUnread(ObjectEntry entry, long from, long to) {
    List<Block> dropped = new ArrayList<>();
    synchronized (lock) {
      for (Block block : entry.blocks()) {
        long start = entry.start(block.index());
        if (start >= from && start < to && block.neverUsed()) {
          remove(block);
          dropped.add(block);
        }
      }
    }
    for (Block block : dropped) {
      observer.readAheadWasted(block.weight());
      block.memory().release();
    }
  }

  private void remove(Block block) {
    if (admission.remove(block)) {
      block.entry().remove(block);
    }
  }

  /** Gives back at least {@code bytes}, if that much is held and not just being sent. */
  void reclaim(long bytes) {
    evict(bytes);
  }

  /** Bytes that are free now; a block that is still being sent is let go but does not count. */
  private long evict(long bytes) {
    long freed = 0;
    while (freed < bytes) {
      Optional<Block> next = takeNext();
      if (next.isEmpty()) {
        break;
      }
      Block block = next.get();
      observer.evicted(block.weight());
      if (block.neverUsed()) {
        observer.readAheadWasted(block.weight());
      }
      if (block.memory().release()) {
        freed += block.weight();
      }
    }
    return freed;
  }

  private Optional<Block> takeNext() {
    synchronized (lock) {
      Optional<Block> next = admission.evict();
      next.ifPresent(block -> block.entry().remove(block));
      return next;
    }
  }

  /** Bytes of whole blocks. */
  long bytes() {
    synchronized (lock) {
      return admission.weight();
    }
  }

  int blocks() {
    synchronized (lock) {
      return admission.residents();
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    evict(Long.MAX_VALUE);
  }
}
