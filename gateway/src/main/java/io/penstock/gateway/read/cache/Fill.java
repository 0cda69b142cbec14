package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.Cancellation.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Copies into the cache what passes of one version: each block that the passing range covers whole.
 * Readers of the same blocks, on whatever event loop, can wait here for a block instead of asking
 * the store for it too. What passes is never held up: a block without memory is skipped, and those
 * who waited for it are told to look for themselves.
 *
 * <p>Threading: fed by one thread; {@link #await} and the queries from any.
 *
 * <p>Ownership: owns the memory of the block in the making; does not take the buffers it is shown.
 */
final class Fill {
  /** How many blocks ahead of what passes it is worth waiting for. */
  private static final int REACH = 8;

  private final BlockCache cache;
  private final ObjectEntry entry;
  private final boolean ahead;
  private final int firstBlock;
  private final int lastBlock;
  private final List<Waiter> waiters = new ArrayList<>(1);
  private @Nullable BlockMemory making;
  private volatile long position;
  private volatile int next;
  private volatile boolean over;

  private record Waiter(int block, Executor executor, Runnable look) {}

  private Fill(BlockCache cache, ObjectEntry entry, long first, long last, boolean ahead) {
    this.cache = cache;
    this.entry = entry;
    this.ahead = ahead;
    this.position = first;
    this.firstBlock = entry.blockOf(first) + (entry.start(entry.blockOf(first)) == first ? 0 : 1);
    int end = entry.blockOf(last);
    this.lastBlock = entry.end(end) == last + 1 ? end : end - 1;
    this.next = firstBlock;
  }

  /**
   * A fill by the bytes {@code first} to {@code last}, both inclusive.
   *
   * @param isAhead whether nobody has asked for them yet
   */
  static Fill begin(BlockCache cache, ObjectEntry entry, long first, long last, boolean isAhead) {
    Fill fill = new Fill(cache, entry, first, last, isAhead);
    if (fill.firstBlock <= fill.lastBlock) {
      entry.begin(fill);
    } else {
      fill.over = true;
    }
    return fill;
  }

  /** Shows the next bytes; the buffer stays the caller's. */
  void pass(ByteBuf buffer) {
    int from = buffer.readerIndex();
    int left = buffer.readableBytes();
    long at = position;
    while (left > 0 && !over) {
      int block = entry.blockOf(at);
      long start = entry.start(block);
      int bytes = (int) Math.min(left, entry.end(block) - at);
      if (at == start) {
        open(block);
      }
      BlockMemory memory = making;
      if (memory != null) {
        memory.setBytes((int) (at - start), buffer, from, bytes);
      }
      at += bytes;
      from += bytes;
      left -= bytes;
      position = at;
      if (at == entry.end(block)) {
        complete(block);
      }
    }
  }

  private void open(int block) {
    if (block >= firstBlock && block <= lastBlock && entry.isCurrent() && !entry.has(block)) {
      making = cache.allocate((int) (entry.end(block) - entry.start(block)));
    }
  }

  private void complete(int block) {
    BlockMemory memory = making;
    making = null;
    if (memory != null) {
      cache.disk().keep(entry, block, memory);
      cache.publish(entry, block, memory, ahead);
    }
    passed(block);
  }

  /** Passes a block that is in memory as a whole; that belongs to the cache from now on. */
  void pass(int block, BlockMemory memory) {
    position = entry.end(block);
    cache.publish(entry, block, memory, ahead);
    passed(block);
  }

  private void passed(int block) {
    if (block >= lastBlock) {
      finish();
    } else if (block >= firstBlock) {
      next = block + 1;
      tell(block);
    }
  }

  /** No more will pass; what is not whole is dropped. May be called more than once. */
  void finish() {
    if (over) {
      return;
    }
    over = true;
    BlockMemory unfinished = making;
    making = null;
    if (unfinished != null) {
      unfinished.release();
    }
    entry.finish(this);
    tell(Integer.MAX_VALUE);
  }

  /** The block that passes now or will next. */
  int next() {
    return next;
  }

  boolean willBring(int block) {
    int passing = next;
    return !over && block >= passing && block <= lastBlock && block - passing < REACH;
  }

  /** Grows while bytes pass. */
  long progress() {
    return position;
  }

  /** Runs {@code look} on {@code executor} once this fill has no more to do with the block. */
  Registration await(int block, Executor executor, Runnable look) {
    Waiter waiter = new Waiter(block, executor, look);
    synchronized (waiters) {
      if (willBring(block)) {
        waiters.add(waiter);
        return () -> {
          synchronized (waiters) {
            waiters.remove(waiter);
          }
        };
      }
    }
    run(waiter);
    return () -> {};
  }

  private void tell(int block) {
    List<Waiter> ready;
    synchronized (waiters) {
      if (waiters.isEmpty()) {
        return;
      }
      ready = waiters.stream().filter(waiter -> waiter.block <= block).toList();
      waiters.removeAll(ready);
    }
    ready.forEach(Fill::run);
  }

  private static void run(Waiter waiter) {
    try {
      waiter.executor.execute(waiter.look);
    } catch (RejectedExecutionException gone) {
      // its event loop has ended, and its reader with it
    }
  }
}
