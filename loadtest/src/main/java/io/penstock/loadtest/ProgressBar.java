package io.penstock.loadtest;

import io.penstock.loadtest.client.LoadClient;
import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.record.Counters;
import java.io.Console;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line on a terminal's stderr that shows how far a run is; nothing where stderr is no terminal.
 *
 * <p>Threading: the runner's thread.
 */
final class ProgressBar implements LoadClient.Watcher, AutoCloseable {
  private static final int WIDTH = 30;

  private final double total;
  private final boolean visible;

  ProgressBar(Duration total, @Nullable Console console) {
    this.total = total.toNanos() / 1e9;
    this.visible = console != null && console.isTerminal();
  }

  @Override
  public void progress(double seconds, Counters soFar) {
    if (visible && seconds > 0) {
      System.err.print("\r" + line(seconds, soFar));
    }
  }

  /** The line for this moment. */
  String line(double seconds, Counters soFar) {
    int done = (int) Math.min(WIDTH, seconds / total * WIDTH);
    return String.format(
        Locale.ROOT,
        "[%s%s] %4.1f/%.0f s  %,.0f requests/s  %s/s  %s   ",
        "#".repeat(done),
        " ".repeat(WIDTH - done),
        seconds,
        total,
        soFar.completed() / seconds,
        Quantity.text(Math.rint(soFar.bytes() / seconds)),
        soFar.errors() == 0 ? "" : soFar.errors() + " ERRORS");
  }

  @Override
  public void close() {
    if (visible) {
      System.err.print("\r" + " ".repeat(100) + "\r");
    }
  }
}
