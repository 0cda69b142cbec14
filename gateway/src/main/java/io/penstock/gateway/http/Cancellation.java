package io.penstock.gateway.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Says that nobody wants the result any more (the client left, a deadline passed), so that whatever
 * was started for it can be stopped at once.
 *
 * <p>Threading: confined to the event loop of the exchange.
 */
public final class Cancellation {
  private final List<Runnable> actions = new ArrayList<>(2);
  private boolean cancelled;

  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * Runs {@code action} on cancellation, at once if that has happened already. Close the
   * registration when done.
   */
  public Registration onCancel(Runnable action) {
    if (cancelled) {
      action.run();
      return () -> {};
    }
    actions.add(action);
    return () -> actions.remove(action);
  }

  public void cancel() {
    if (!cancelled) {
      cancelled = true;
      List<Runnable> now = List.copyOf(actions);
      actions.clear();
      now.forEach(Runnable::run);
    }
  }

  /** Undoes {@link #onCancel}. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
