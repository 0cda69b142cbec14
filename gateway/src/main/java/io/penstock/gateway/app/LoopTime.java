package io.penstock.gateway.app;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.upstream.Timeline;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The time and the turns of one event loop.
 *
 * <p>Threading: {@link #execute} from any thread, the rest on the loop.
 */
final class LoopTime implements Timeline, Executor {
  private final Context context;

  LoopTime(Context context) {
    this.context = context;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Cancellation.Registration after(Duration delay, Runnable action) {
    long timer = context.owner().setTimer(Math.max(1, delay.toMillis()), _ -> action.run());
    return () -> context.owner().cancelTimer(timer);
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(_ -> task.run());
  }
}
