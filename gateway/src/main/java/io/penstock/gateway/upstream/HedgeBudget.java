package io.penstock.gateway.upstream;

/**
 * Keeps second tries to a share of the requests. What a quiet time did not use is saved up for a
 * bad one, but only {@link #MOST_SAVED} of it: many late answers at once are a store in trouble,
 * not stragglers.
 *
 * <p>Threading: confined to one event loop.
 */
final class HedgeBudget {
  static final int MOST_SAVED = 10;

  private final double share;
  private double saved;

  /**
   * Starts with nothing.
   *
   * @param share second tries per request
   */
  HedgeBudget(double share) {
    this.share = share;
  }

  double share() {
    return share;
  }

  /** A request begins. */
  void called() {
    saved = Math.min(MOST_SAVED, saved + share);
  }

  /** Whether one more second try is allowed; if so it is spent. */
  boolean spend() {
    if (saved < 1) {
      return false;
    }
    saved -= 1;
    return true;
  }
}
