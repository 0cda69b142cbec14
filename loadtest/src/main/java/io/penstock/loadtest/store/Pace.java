package io.penstock.loadtest.store;

/**
 * A token bucket for one connection: how many bytes may go now, how long until some may.
 *
 * <p>Threading: one event loop. The caller says what time it is.
 */
final class Pace {
  // how much time's worth of bytes may go in one burst
  private static final double BURST_SECONDS = 0.002;

  private final double bytesPerNano;
  private final double most;
  private double tokens;
  private long last;

  /** {@code bytesPerSecond} 0: no limit. */
  Pace(long bytesPerSecond, long now) {
    this.bytesPerNano = bytesPerSecond / 1e9;
    this.most = Math.max(1, bytesPerSecond * BURST_SECONDS);
    this.tokens = most;
    this.last = now;
  }

  /**
   * How many of {@code wanted} bytes may go at {@code now}: none until half a burst (or all that is
   * wanted) may, so that time passing between two calls is not spent on pieces of a few bytes. They
   * count as gone once {@link #took} says so.
   */
  long allowed(long now, long wanted) {
    if (bytesPerNano == 0) {
      return wanted;
    }
    tokens = Math.min(most, tokens + (now - last) * bytesPerNano);
    last = now;
    long whole = Math.min(wanted, (long) tokens);
    return whole < Math.min(wanted, (long) (most / 2)) ? 0 : whole;
  }

  void took(long bytes) {
    if (bytesPerNano > 0) {
      tokens -= bytes;
    }
  }

  /** Nanoseconds until {@link #allowed} says more than 0. */
  long waitNanos() {
    return bytesPerNano == 0 ? 0 : Math.max(1000, (long) ((most / 2 - tokens) / bytesPerNano) + 1);
  }
}
