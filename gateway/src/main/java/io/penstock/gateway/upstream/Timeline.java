package io.penstock.gateway.upstream;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.penstock.gateway.http.Cancellation.Registration;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Time as the channels see it: real on an event loop, virtual in a simulation.
 *
 * <p>Threading: confined to the event loop.
 */
public interface Timeline {

  /** Only differences mean something. */
  long nanoTime();

  /** Runs {@code action} after {@code delay} unless the registration is closed before. */
  Registration after(Duration delay, Runnable action);

  static Timeline of(EventLoop loop) {
    return new Timeline() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public Registration after(Duration delay, Runnable action) {
        ScheduledFuture<?> timer = loop.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
      }
    };
  }
}
