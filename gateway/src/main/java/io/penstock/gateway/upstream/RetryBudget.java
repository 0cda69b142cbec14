package io.penstock.gateway.upstream;

/**
 * Allows about one retry for ten calls, so that a store in trouble gets a tenth more load, not
 * several times as much. A few retries are always saved up for quiet times.
 *
 * <p>Threading: confined to one event loop.
 */
final class RetryBudget {
  private static final double PER_CALL = 0.1;
  private static final double MOST = 10;

  private double saved = MOST;

  /** A call begins. */
  void called() {
    saved = Math.min(MOST, saved + PER_CALL);
  }

  /** Whether one more retry is allowed; if so it is spent. */
  boolean spend() {
    if (saved < 1) {
      return false;
    }
    saved -= 1;
    return true;
  }
}
