package io.penstock.dpu.memory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The one limit on off-heap bytes of the process. A byte is charged here before it is allocated and
 * given back after it is freed, so the sum of all reservations never exceeds the total, and no area
 * its ceiling.
 *
 * <p>Claims that do not fit either fail at once ({@link #tryReserve}) or queue ({@link #reserve}).
 * The queue is first come, first served over all areas: nobody overtakes a claim that waits for the
 * common total, but a claim that only waits for its own area's ceiling holds up no other area. A
 * large claim therefore makes later ones wait, and is never starved by them.
 *
 * <p>Under an exhausted budget the head of each area's queue is served from the area's lifeline,
 * one reservation at a time: whatever the other areas and the other requests of the area hold,
 * something makes progress, as long as it needs no more than the lifeline.
 *
 * <p>Threading: any thread; no call blocks beyond a short critical section, and callbacks run on
 * the caller's executor, never under the lock. That executor should queue, as an event loop does:
 * one that runs tasks at once makes a long queue a deep stack.
 *
 * <p>Ownership: counts bytes, holds none.
 */
public final class MemoryBudget {
  private final Object lock = new Object();
  private final Ledger ledger;
  private final MemorySplit split;
  private final MemoryObserver observer;
  private final LongSupplier nanoClock;
  private long nextSequence;
  private volatile LongConsumer reclaimer = _ -> {};

  public MemoryBudget(MemorySplit split, MemoryObserver observer, LongSupplier nanoClock) {
    this.split = split;
    this.ledger = new Ledger(split);
    this.observer = observer;
    this.nanoClock = nanoClock;
  }

  /** A budget of {@code total} bytes with the usual split. */
  public static MemoryBudget of(long total) {
    return new MemoryBudget(MemorySplit.of(total), MemoryObserver.NONE, System::nanoTime);
  }

  /**
   * Whoever holds {@link MemoryArea#CACHE} gives bytes back when a claim of another area fits its
   * area but not the total: {@code reclaimer} is told how many are wanted, outside the lock and on
   * the thread that claims or that ended an earlier obstacle, and closes what it can do without. A
   * claim that waits asks once, when its turn has come.
   */
  public void reclaimFrom(LongConsumer newReclaimer) {
    reclaimer = newReclaimer;
  }

  /** Reserves if there is room and nobody waits for it; empty otherwise. */
  public Optional<Reservation> tryReserve(MemoryClaim claim) {
    Reservation reservation = new Reservation(this, claim.area(), claim.owner());
    return tryTake(reservation, claim) ? Optional.of(reservation) : Optional.empty();
  }

  /**
   * Reserves now or later: {@code granted} gets the reservation on {@code executor}, exactly once
   * unless the ticket is cancelled first. An executor that refuses the task (an event loop that is
   * shut down) gives the bytes back.
   *
   * @throws BudgetExceededException if the claim could never be granted
   */
  public Ticket reserve(MemoryClaim claim, Executor executor, Consumer<Reservation> granted) {
    Reservation reservation = new Reservation(this, claim.area(), claim.owner());
    Waiter waiter;
    Turn turn;
    synchronized (lock) {
      long most = ledger.largestClaim(claim.area());
      if (claim.bytes() > most) {
        throw new BudgetExceededException(claim, most);
      }
      waiter = newWaiter(new Waiter.Call(claim, reservation, false, executor, granted));
      turn = admit(waiter);
    }
    dispatch(turn);
    return waiter;
  }

  public AreaUsage usage(MemoryArea area) {
    synchronized (lock) {
      return ledger.account(area).usage();
    }
  }

  /** All bytes reserved, all areas. */
  public long used() {
    synchronized (lock) {
      return ledger.used();
    }
  }

  /** The most that may ever be reserved, all areas. */
  public long limit() {
    return split.total();
  }

  /** The bytes {@code area} can count on for one reservation, whatever the others hold. */
  public long lifeline(MemoryArea area) {
    return split.share(area).lifeline();
  }

  /** One line per open reservation, oldest first: area, bytes, owner. */
  public List<String> outstanding() {
    List<Reservation> open;
    synchronized (lock) {
      open = ledger.live();
    }
    return open.stream().map(Reservation::toString).toList();
  }

  /**
   * For the end of tests and of the process.
   *
   * @throws IllegalStateException naming every owner that still holds bytes, or if claims wait
   */
  public void assertAllReleased() {
    List<String> open = outstanding();
    int queued;
    synchronized (lock) {
      queued = ledger.waiting();
    }
    if (!open.isEmpty() || queued > 0) {
      throw new IllegalStateException(
          open.size() + " reservations open, " + queued + " waiting: " + String.join("; ", open));
    }
  }

  long held(Reservation reservation) {
    synchronized (lock) {
      return reservation.ordinary + reservation.lifeline;
    }
  }

  boolean tryGrow(Reservation reservation, long more) {
    return tryTake(reservation, new MemoryClaim(reservation.area, more, reservation.owner));
  }

  Ticket grow(Reservation reservation, long more, Executor executor, Runnable granted) {
    MemoryClaim claim = new MemoryClaim(reservation.area, more, reservation.owner);
    long most = lifeline(reservation.area);
    if (more > most) {
      throw new BudgetExceededException(claim, most);
    }
    Waiter waiter;
    Turn turn;
    synchronized (lock) {
      checkOpen(reservation);
      if (reservation.growing != null) {
        throw new IllegalStateException(reservation.owner + " already waits to grow");
      }
      waiter = newWaiter(new Waiter.Call(claim, reservation, true, executor, r -> granted.run()));
      reservation.growing = waiter;
      turn = admit(waiter);
    }
    dispatch(turn);
    return waiter;
  }

  void shrink(Reservation reservation, long fewer) {
    Turn turn;
    synchronized (lock) {
      checkOpen(reservation);
      if (fewer < 0 || fewer > reservation.ordinary + reservation.lifeline) {
        throw new IllegalArgumentException(
            reservation.owner + " cannot give back " + fewer + " bytes, it holds fewer");
      }
      ledger.release(reservation, fewer);
      turn = settle();
    }
    dispatch(turn);
  }

  void close(Reservation reservation) {
    Turn turn;
    synchronized (lock) {
      if (reservation.closed) {
        return;
      }
      Waiter growing = reservation.growing;
      if (growing != null) {
        ledger.leaveQueue(growing);
        finish(growing);
      }
      ledger.close(reservation);
      turn = settle();
    }
    dispatch(turn);
  }

  /** Says whether the callback may run now: the claim was granted and not cancelled since. */
  boolean deliver(Waiter waiter) {
    synchronized (lock) {
      if (waiter.state != Waiter.State.GRANTED) {
        return false;
      }
      finish(waiter);
      return true;
    }
  }

  boolean cancel(Waiter waiter) {
    Turn turn;
    synchronized (lock) {
      switch (waiter.state) {
        case WAITING -> ledger.leaveQueue(waiter);
        case GRANTED -> {
          if (waiter.isGrowth()) {
            ledger.release(waiter.reservation, waiter.claim.bytes());
          } else {
            ledger.close(waiter.reservation);
          }
        }
        case DONE -> {
          return false;
        }
      }
      finish(waiter);
      turn = settle();
    }
    dispatch(turn);
    return true;
  }

  private boolean tryTake(Reservation reservation, MemoryClaim claim) {
    boolean taken;
    boolean cacheMayHelp;
    synchronized (lock) {
      checkOpen(reservation);
      taken = ledger.tryTake(reservation, claim.bytes());
      cacheMayHelp = !taken && ledger.cacheMayHelp(claim);
    }
    if (cacheMayHelp) {
      reclaimer.accept(claim.bytes());
      synchronized (lock) {
        checkOpen(reservation);
        taken = ledger.tryTake(reservation, claim.bytes());
      }
    }
    if (taken) {
      observer.granted(claim, 0);
    } else {
      refuse(claim);
    }
    return taken;
  }

  private void refuse(MemoryClaim claim) {
    synchronized (lock) {
      ledger.account(claim.area()).countRefusal();
    }
    observer.refused(claim);
  }

  private Waiter newWaiter(Waiter.Call call) {
    return new Waiter(this, call, nextSequence++, nanoClock.getAsLong());
  }

  /** Serves the newcomer at once if that is fair, or queues it; returns who is to be told. */
  private Turn admit(Waiter waiter) {
    if (ledger.tryTake(waiter.reservation, waiter.claim.bytes())) {
      waiter.state = Waiter.State.GRANTED;
      return new Turn(List.of(waiter), 0);
    }
    ledger.enqueue(waiter);
    return settle();
  }

  private Turn settle() {
    Turn turn = ledger.settle();
    for (Waiter waiter : turn.ready()) {
      waiter.state = Waiter.State.GRANTED;
    }
    return turn;
  }

  private static void finish(Waiter waiter) {
    waiter.state = Waiter.State.DONE;
    if (waiter.isGrowth()) {
      waiter.reservation.growing = null;
    }
  }

  private static void checkOpen(Reservation reservation) {
    if (reservation.closed) {
      throw new IllegalStateException(reservation.owner + " has closed its reservation");
    }
  }

  private void dispatch(Turn turn) {
    for (Waiter waiter : turn.ready()) {
      observer.granted(waiter.claim, nanoClock.getAsLong() - waiter.arrivalNanos);
      waiter.dispatch();
    }
    if (turn.wantedOfCache() > 0) {
      reclaimer.accept(turn.wantedOfCache());
    }
  }
}
