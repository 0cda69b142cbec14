package io.penstock.gateway.app;

/**
 * How much later than planned an event loop comes to a periodic task: what every request on it
 * waits as well. The worst of the last five to ten seconds, so that a scrape sees short stalls.
 *
 * <p>Threading: {@link #tick} on the loop, {@link #seconds} anywhere.
 */
final class Lateness {
  private static final long WINDOW_NANOS = 5_000_000_000L;

  private final long period;
  private long last;
  private long windowEnd;
  private long before;
  private long current;
  private volatile long worst;

  Lateness(long periodNanos) {
    this.period = periodNanos;
  }

  void tick(long now) {
    if (last != 0) {
      current = Math.max(current, now - last - period);
    }
    last = now;
    if (now - windowEnd > 0) {
      before = current;
      current = 0;
      windowEnd = now + WINDOW_NANOS;
    }
    worst = Math.max(before, current);
  }

  double seconds() {
    return worst / 1e9;
  }
}
