package io.penstock.gateway.upstream.wire;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that nothing has happened for too long while something was due. One timer for the life of
 * a connection, however many requests it carries: {@link #touch} only writes down the time.
 *
 * <p>Threading: confined to the event loop.
 */
final class Watchdog {
  private final EventLoop loop;
  private final long timeoutNanos;
  private final BooleanSupplier due;
  private final Runnable expired;
  private long last;
  private @Nullable Future<?> timer;
  private boolean stopped;

  /**
   * @param due whether the silence is the other side's fault at this moment
   */
  Watchdog(EventLoop loop, long timeoutNanos, BooleanSupplier due, Runnable expired) {
    this.loop = loop;
    this.timeoutNanos = timeoutNanos;
    this.due = due;
    this.expired = expired;
  }

  /** Something happened, or waiting begins now. */
  void touch() {
    last = System.nanoTime();
    if (timer == null && !stopped) {
      schedule(timeoutNanos);
    }
  }

  void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void schedule(long delay) {
    timer = loop.schedule(this::check, delay, TimeUnit.NANOSECONDS);
  }

  private void check() {
    timer = null;
    long silent = System.nanoTime() - last;
    if (!due.getAsBoolean()) {
      // starts again with the next touch: whoever becomes due touches first
      return;
    }
    if (silent >= timeoutNanos) {
      expired.run();
    } else {
      schedule(timeoutNanos - silent);
    }
  }
}
