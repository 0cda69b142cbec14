package io.penstock.gateway.batch;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.memory.Ticket;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What one stream holds of the memory budget. Claims that must wait are served in the order of the
 * items they are for, whenever they came: the first item of the batch that is sent next must never
 * wait behind those that are only read ahead.
 *
 * <p>Threading: {@link #giveBack} and {@link #tryClaim} on any thread, everything else on the event
 * loop.
 */
final class RunMemory {
  /** Holds a place in the budget while a stream holds nothing else. */
  private static final long PLACE = 1;

  private final MemoryBudget budget;
  private final Reservation reservation;
  private final Executor loop;
  private final PriorityQueue<Claim> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Claim::order));
  private final Object lock = new Object();
  private Runnable changed = () -> {};
  private @Nullable Growth growth;
  // guarded by lock
  private long held;
  private boolean closed;

  private RunMemory(MemoryBudget budget, Reservation reservation, Executor loop) {
    this.budget = budget;
    this.reservation = reservation;
    this.loop = loop;
  }

  /** Memory for one stream; empty if the budget is taken. */
  static Optional<RunMemory> open(MemoryBudget budget, Executor loop, String owner) {
    return budget
        .tryReserve(new MemoryClaim(MemoryArea.BATCHES, PLACE, owner))
        .map(reservation -> new RunMemory(budget, reservation, loop));
  }

  private static final class Claim {
    private final long order;
    private final Runnable granted;
    private long missing;
    private long got;

    Claim(long order, long bytes, Runnable granted) {
      this.order = order;
      this.missing = bytes;
      this.granted = granted;
    }

    long order() {
      return order;
    }
  }

  /** One step of the claim that is served now. */
  private static final class Growth {
    private final Claim claim;
    private @Nullable Ticket ticket;
    private boolean over;

    Growth(Claim claim) {
      this.claim = claim;
    }
  }

  /**
   * {@code action} runs on the loop when a claim begins to wait, and when one has got its bytes.
   */
  void onChange(Runnable action) {
    changed = action;
  }

  /** The most that all streams together may hold. */
  long ceiling() {
    return budget.usage(MemoryArea.BATCHES).limit();
  }

  /** Whether there is so much left that reading ahead takes nothing from anybody. */
  boolean isPlentiful() {
    var usage = budget.usage(MemoryArea.BATCHES);
    return usage.waiting() == 0 && usage.used() < usage.limit() / 2;
  }

  /** Takes bytes if they are free and nobody waits for them. */
  boolean tryClaim(long bytes) {
    synchronized (lock) {
      if (closed) {
        return false;
      }
      if (bytes > 0 && !reservation.tryGrow(bytes)) {
        return false;
      }
      held += bytes;
      return true;
    }
  }

  /**
   * Takes bytes now or later.
   *
   * @param order number of the item they are for
   * @param granted runs on the loop, never if the memory is closed before
   */
  void claim(long order, long bytes, Runnable granted) {
    waiting.add(new Claim(order, bytes, granted));
    Growth running = growth;
    if (running != null && running.claim.order > order && running.ticket != null) {
      // its turn comes again; what it has it keeps
      if (running.ticket.cancel()) {
        running.over = true;
        growth = null;
        waiting.add(running.claim);
      }
    }
    if (growth == null) {
      serve();
    }
  }

  /** Whether some claim has to wait. */
  boolean isWaiting() {
    return growth != null;
  }

  private void serve() {
    while (growth == null && !waiting.isEmpty() && !isClosed()) {
      Claim next = waiting.remove();
      if (tryClaim(next.missing)) {
        next.got += next.missing;
        next.missing = 0;
        next.granted.run();
      } else {
        grow(next);
      }
    }
  }

  private void grow(Claim claim) {
    long step = Math.min(claim.missing, budget.lifeline(MemoryArea.BATCHES));
    Growth next = new Growth(claim);
    growth = next;
    changed.run();
    next.ticket = reservation.grow(step, loop, () -> grown(next, step));
  }

  private void grown(Growth step, long bytes) {
    if (step.over) {
      return;
    }
    step.over = true;
    synchronized (lock) {
      held += bytes;
    }
    if (isClosed()) {
      giveBack(bytes);
      return;
    }
    growth = null;
    changed.run();
    step.claim.missing -= bytes;
    step.claim.got += bytes;
    if (step.claim.missing > 0) {
      waiting.add(step.claim);
    } else {
      step.claim.granted.run();
    }
    serve();
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  /** Gives bytes back, which are not used any more. */
  void giveBack(long bytes) {
    synchronized (lock) {
      held -= bytes;
      if (bytes > 0) {
        reservation.shrink(bytes);
      }
      closeIfEmpty();
    }
  }

  /** No more claims; the place in the budget goes when the last byte has been given back. */
  void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
    }
    Growth running = growth;
    long back = 0;
    if (running != null) {
      back += running.claim.got;
      if (running.ticket != null && running.ticket.cancel()) {
        running.over = true;
      }
    }
    for (Claim claim : waiting) {
      back += claim.got;
    }
    waiting.clear();
    giveBack(back);
  }

  private void closeIfEmpty() {
    if (closed && held == 0) {
      reservation.close();
    }
  }
}
