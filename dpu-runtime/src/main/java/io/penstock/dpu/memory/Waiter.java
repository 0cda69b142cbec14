package io.penstock.dpu.memory;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * One claim in the queue, from its arrival until its callback has run or it was cancelled.
 *
 * <p>Threading: {@code state}, {@code askedCache} and the position in the queue are guarded by the
 * budget's lock; the callback runs on the executor, without the lock.
 */
final class Waiter implements Ticket, Runnable {
  enum State {
    WAITING,
    GRANTED,
    DONE
  }

  final MemoryClaim claim;
  final Reservation reservation;
  final long arrivalNanos;
  final long sequence;
  State state = State.WAITING;
  boolean askedCache;

  private final MemoryBudget budget;
  private final boolean growth;
  private final Executor executor;
  private final Consumer<Reservation> callback;

  Waiter(MemoryBudget budget, Call call, long sequence, long arrivalNanos) {
    this.budget = budget;
    this.claim = call.claim();
    this.reservation = call.reservation();
    this.growth = call.growth();
    this.executor = call.executor();
    this.callback = call.callback();
    this.sequence = sequence;
    this.arrivalNanos = arrivalNanos;
  }

  /** What was asked for: by whom, and where the answer goes. */
  record Call(
      MemoryClaim claim,
      Reservation reservation,
      boolean growth,
      Executor executor,
      Consumer<Reservation> callback) {}

  boolean isGrowth() {
    return growth;
  }

  /** Sends the granted reservation on its way; an executor that is shut down gets nothing. */
  void dispatch() {
    try {
      executor.execute(this);
    } catch (RejectedExecutionException _) {
      // The caller's event loop is gone and so is its request; the thread we are on is not to
      // blame.
      cancel();
    }
  }

  @Override
  public void run() {
    if (budget.deliver(this)) {
      callback.accept(reservation);
    }
  }

  @Override
  public boolean cancel() {
    return budget.cancel(this);
  }
}
