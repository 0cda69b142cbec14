package io.penstock.dpu.memory;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that may be allocated. {@link #close} gives them back exactly once, however often and from
 * however many threads it is called; nothing can be done with a closed reservation.
 *
 * <p>Threading: any thread; every call is atomic.
 *
 * <p>Ownership: whoever holds the reservation closes it, after the memory it stands for was freed.
 */
public final class Reservation implements AutoCloseable {
  private final MemoryBudget budget;
  final MemoryArea area;
  final String owner;

  // guarded by the budget's lock
  long ordinary;
  long lifeline;
  boolean closed;
  @Nullable Waiter growing;

  Reservation(MemoryBudget budget, MemoryArea area, String owner) {
    this.budget = budget;
    this.area = area;
    this.owner = owner;
  }

  public MemoryArea area() {
    return area;
  }

  public String owner() {
    return owner;
  }

  /** What is held now; 0 once closed. */
  public long bytes() {
    return budget.held(this);
  }

  /**
   * Takes {@code more} bytes if they are free and nobody is waiting for them.
   *
   * @throws IllegalStateException if closed
   */
  public boolean tryGrow(long more) {
    return budget.tryGrow(this, more);
  }

  /**
   * Queues for {@code more} bytes, ahead of claims that hold nothing yet; {@code granted} runs on
   * {@code executor}. Closing the reservation cancels the wait.
   *
   * <p>One reservation at a time can always grow by the area's lifeline. A stream that gives back
   * what it has passed on before it asks again therefore never waits for ever; one that hoards more
   * than the lifeline beyond its first claim may.
   *
   * @throws BudgetExceededException if {@code more} is above the area's lifeline: two reservations
   *     waiting for each other's bytes would wait for ever, so reserve as much at the start instead
   * @throws IllegalStateException if closed, or if an earlier growth still waits
   */
  public Ticket grow(long more, Executor executor, Runnable granted) {
    return budget.grow(this, more, executor, granted);
  }

  /**
   * Gives back {@code fewer} bytes and keeps the rest.
   *
   * @throws IllegalArgumentException if more than {@link #bytes} would go back
   * @throws IllegalStateException if closed
   */
  public void shrink(long fewer) {
    budget.shrink(this, fewer);
  }

  @Override
  public void close() {
    budget.close(this);
  }

  @Override
  public String toString() {
    return area + " " + bytes() + " bytes by " + owner;
  }
}
