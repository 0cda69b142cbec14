package io.penstock.gateway.upstream;

import io.penstock.gateway.http.Cancellation.Registration;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one kind that wait for an answer, and when one of them is late: after the time that
 * all but the budgeted share of recent calls took, but never before twice the median nor before the
 * configured minimum. Twice the median, because a store whose answers all take about as long has
 * calls beyond any quantile and yet no stragglers. One timer serves all calls: it sleeps until the
 * oldest one could be late.
 *
 * <p>Threading: confined to one event loop.
 */
final class Straggling {
  static final int FEWEST_SAMPLES = 200;
  private static final int REFRESH_EVERY = 64;

  private final Timeline timeline;
  private final double share;
  private final long minDelay;
  private final RecentLatencies latencies = new RecentLatencies();
  private final ArrayDeque<Waiting> calls = new ArrayDeque<>();
  private long delay = Long.MAX_VALUE;
  private int untilRefresh = FEWEST_SAMPLES;
  private @Nullable Registration timer;

  /** A call that may become late. */
  interface Waiting {
    long begun();

    boolean isAnswered();

    /** It takes longer than it should. */
    void late();
  }

  /**
   * Nothing is late before {@link #FEWEST_SAMPLES} answers.
   *
   * @param share of the calls that may be late
   */
  Straggling(Timeline timeline, double share, Duration minDelay) {
    this.timeline = timeline;
    this.share = share;
    this.minDelay = minDelay.toNanos();
  }

  /** A call has begun. */
  void begun(Waiting call) {
    if (delay == Long.MAX_VALUE) {
      return;
    }
    calls.addLast(call);
    if (timer == null) {
      sleep();
    }
  }

  /** A call has its answer. */
  void answered(long nanos) {
    latencies.add(nanos);
    if (--untilRefresh <= 0) {
      untilRefresh = REFRESH_EVERY;
      long usual = Math.max(latencies.quantile(1 - share), 2 * latencies.quantile(0.5));
      delay = Math.max(minDelay, usual);
    }
    dropAnswered();
  }

  private void dropAnswered() {
    while (!calls.isEmpty() && calls.getFirst().isAnswered()) {
      calls.removeFirst();
    }
  }

  private void sleep() {
    long left = calls.getFirst().begun() + delay - timeline.nanoTime();
    timer = timeline.after(Duration.ofNanos(Math.max(0, left)), this::look);
  }

  private void look() {
    timer = null;
    long now = timeline.nanoTime();
    while (!calls.isEmpty()) {
      Waiting oldest = calls.getFirst();
      boolean answered = oldest.isAnswered();
      if (!answered && now - oldest.begun() < delay) {
        sleep();
        return;
      }
      calls.removeFirst();
      if (!answered) {
        oldest.late();
      }
    }
  }
}
