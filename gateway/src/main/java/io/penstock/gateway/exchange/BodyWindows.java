package io.penstock.gateway.exchange;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many body bytes one request may have inside the gateway at once. A lone request gets a large
 * window, which is what costs least CPU per byte; the more requests there are, the smaller each new
 * window, so that a thousand slow readers share the budget instead of exhausting it. With {@code n}
 * requests in flight a window is a sixteenth of the budget divided by {@code n}, between {@link
 * #SMALLEST} and {@link #LARGEST}; summed over arrivals that stays below the whole budget.
 *
 * <p>Threading: shared by all event loops.
 */
public final class BodyWindows {
  static final int SMALLEST = 16 << 10;
  static final int LARGEST = 512 << 10;

  /** One buffer waits for the client while the next one is being received. */
  private static final int BUFFERS = 2;

  private final MemoryBudget budget;
  private final AtomicInteger open = new AtomicInteger();

  public BodyWindows(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Charges a window for one request; empty when not even the smallest fits. Close it when the last
   * byte has left.
   */
  public Optional<Window> open() {
    int requests = open.incrementAndGet();
    long bytes = (long) BUFFERS * size(budget.limit(), requests);
    Optional<Reservation> charged = reserve(bytes).or(() -> reserve((long) BUFFERS * SMALLEST));
    if (charged.isEmpty()) {
      open.decrementAndGet();
    }
    return charged.map(Window::new);
  }

  private Optional<Reservation> reserve(long bytes) {
    return budget.tryReserve(new MemoryClaim(MemoryArea.BODIES, bytes, "request body"));
  }

  /** How large the next receive buffer of any request may be. */
  public int atMost(int wanted) {
    return Math.min(wanted, size(budget.limit(), open.get()));
  }

  static int size(long budgetBytes, int requests) {
    long share = budgetBytes / 16 / Math.max(1, requests);
    return (int) Math.max(SMALLEST, Math.min(LARGEST, Long.highestOneBit(Math.max(1, share))));
  }

  /** The charge of one request. */
  public final class Window implements AutoCloseable {
    private final Reservation reservation;
    private final long charged;
    private boolean closed;

    private Window(Reservation reservation) {
      this.reservation = reservation;
      this.charged = reservation.bytes() / BUFFERS;
    }

    /** How much may wait for the client before no more is read for it. */
    public long bytes() {
      return Math.min(charged, size(budget.limit(), open.get()));
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        reservation.close();
        open.decrementAndGet();
      }
    }
  }
}
