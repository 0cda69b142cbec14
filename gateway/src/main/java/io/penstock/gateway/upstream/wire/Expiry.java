package io.penstock.gateway.upstream.wire;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One timer for a queue whose entries expire in order: it sleeps until the oldest entry is due,
 * however many come and go meanwhile.
 *
 * <p>Threading: confined to the event loop.
 */
final class Expiry {

  /** No entry is left. */
  static final long NEVER = Long.MAX_VALUE;

  private final EventLoop loop;
  private final LongSupplier nanosToOldest;
  private final Runnable removeExpired;
  private @Nullable Future<?> timer;

  /**
   * @param nanosToOldest time until the oldest entry expires, not positive if it has, {@link
   *     #NEVER} if there is none
   */
  Expiry(EventLoop loop, LongSupplier nanosToOldest, Runnable removeExpired) {
    this.loop = loop;
    this.nanosToOldest = nanosToOldest;
    this.removeExpired = removeExpired;
  }

  /** An entry was added. */
  void added() {
    if (timer == null) {
      long nanos = nanosToOldest.getAsLong();
      if (nanos != NEVER) {
        timer = loop.schedule(this::fire, Math.max(0, nanos), TimeUnit.NANOSECONDS);
      }
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void fire() {
    timer = null;
    removeExpired.run();
    added();
  }
}
