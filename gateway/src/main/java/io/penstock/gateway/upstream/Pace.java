package io.penstock.gateway.upstream;

import java.time.Duration;
import java.util.Optional;

/**
 * How fast calls may go out, shared by all calls of an event loop. Unlimited until a good part of
 * the answers are SlowDown (503); then a token bucket of half the present rate, halved again while
 * the store goes on complaining (but never under a tenth of the rate before, which finds out when
 * it is over), and doubled every half second that it does not. Once the old rate is reached twice
 * over, unlimited again. Calls beyond the rate are refused rather than piled up: a queue would meet
 * the recovering store as a burst. One SlowDown among many good answers changes nothing: stores
 * throttle a single prefix or partition that way.
 *
 * <p>Threading: confined to one event loop.
 */
final class Pace {
  private static final long WINDOW = Duration.ofSeconds(1).toNanos();
  private static final long DOUBLE_EVERY = Duration.ofMillis(500).toNanos();
  private static final long LONGEST_WAIT = Duration.ofMillis(100).toNanos();
  private static final Optional<Duration> AT_ONCE = Optional.of(Duration.ZERO);
  private static final long CUT_EVERY = Duration.ofMillis(250).toNanos();
  private static final int FEWEST_COMPLAINTS = 3;
  private static final double COMPLAINT_SHARE = 0.1;
  private static final double FLOOR = 0.1;
  private static final double SLOWEST = 20;
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

  /** How long the next call has to wait, or empty if it must not go out. */
  Optional<Duration> take() {
    long now = timeline.nanoTime();
    roll(now);
    calls++;
    if (!isLimited()) {
      return AT_ONCE;
    }
    double rate = rate(now);
    tokens = Math.min(1, tokens + (now - filledAt) / NANOS * rate);
    filledAt = now;
    double after = tokens - 1;
    long wait = Math.max(after >= 0 ? 0 : (long) (-after / rate * NANOS), heldUntil - now);
    if (wait > LONGEST_WAIT) {
      return Optional.empty();
    }
    tokens = after;
    return Optional.of(Duration.ofNanos(wait));
  }

  /** Whether the store has been asked for less than is wanted of it. */
  boolean isLimited() {
    if (limited && rate(timeline.nanoTime()) >= 2 * rateBefore) {
      limited = false;
    }
    return limited;
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
    if (!isLimited()) {
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
    return rateAtCut * Math.pow(2, Math.max(0, (now - cutAt) / (double) DOUBLE_EVERY - 1));
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
