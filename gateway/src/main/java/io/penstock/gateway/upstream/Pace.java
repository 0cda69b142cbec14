package io.penstock.gateway.upstream;

import java.time.Duration;

/**
 * How fast calls may go out, shared by all calls of an event loop. Unlimited until a good part of
 * the answers are SlowDown (503); then a token bucket of half the present rate, halved again while
 * the store goes on complaining (but never under a tenth of the rate before, which finds out when
 * it is over), and doubled every second that it does not. Once the old rate is reached twice over,
 * unlimited again. One SlowDown among many good answers changes nothing: stores throttle a single
 * prefix or partition that way.
 *
 * <p>Threading: confined to one event loop.
 */
final class Pace {
  private static final long WINDOW = Duration.ofSeconds(1).toNanos();
  private static final long CUT_EVERY = Duration.ofMillis(250).toNanos();
  private static final int FEWEST_COMPLAINTS = 3;
  private static final double COMPLAINT_SHARE = 0.1;
  private static final double FLOOR = 0.1;
  private static final double SLOWEST = 2;
  private static final double NANOS = 1e9;

  private final Timeline timeline;
  private long windowStart;
  private int calls;
  private int callsBefore;
  private int answers;
  private int complaints;
  private boolean limited;
  private double rateBefore;
  private double rateAtCut;
  private long cutAt;
  private long heldUntil;
  private double tokens;
  private long filledAt;

  Pace(Timeline timeline) {
    this.timeline = timeline;
    this.windowStart = timeline.nanoTime();
    this.heldUntil = windowStart;
  }

  /** Takes a place in the line: how long the next call has to wait. */
  Duration take() {
    long now = timeline.nanoTime();
    roll(now);
    calls++;
    if (!limited) {
      return Duration.ZERO;
    }
    double rate = rate(now);
    if (rate >= 2 * rateBefore) {
      limited = false;
      return Duration.ZERO;
    }
    tokens = Math.min(1, tokens + (now - filledAt) / NANOS * rate);
    filledAt = now;
    tokens -= 1;
    long wait = tokens >= 0 ? 0 : (long) (-tokens / rate * NANOS);
    return Duration.ofNanos(Math.max(wait, heldUntil - now));
  }

  /** The place is not used after all. */
  void giveBack() {
    tokens = Math.min(1, tokens + 1);
  }

  /** The store answered with something else than SlowDown. */
  void answered() {
    roll(timeline.nanoTime());
    answers++;
  }

  /** The store asked to slow down; {@code retryAfter} is zero if it did not say for how long. */
  void complained(Duration retryAfter) {
    long now = timeline.nanoTime();
    roll(now);
    answers++;
    complaints++;
    if (complaints < FEWEST_COMPLAINTS || complaints < COMPLAINT_SHARE * answers) {
      return;
    }
    heldUntil = Math.max(heldUntil, now + Math.min(retryAfter.toNanos(), WINDOW));
    if (!limited) {
      rateBefore = Math.max(SLOWEST, Math.max(callsBefore, calls));
      cut(now, rateBefore / 2);
      tokens = 0;
      filledAt = now;
      limited = true;
    } else if (now - cutAt >= CUT_EVERY) {
      cut(now, Math.max(rateBefore * FLOOR, rate(now) / 2));
    }
  }

  private void cut(long now, double rate) {
    rateAtCut = rate;
    cutAt = now;
  }

  /** Calls per second. */
  private double rate(long now) {
    return rateAtCut * Math.pow(2, Math.max(0, (now - cutAt) / (double) WINDOW - 1));
  }

  private void roll(long now) {
    long passed = now - windowStart;
    if (passed >= WINDOW) {
      callsBefore = passed < 2 * WINDOW ? calls : 0;
      calls = 0;
      answers = 0;
      complaints = 0;
      windowStart = now;
    }
  }
}
