package io.penstock.sink.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalLong;

/** A bar on a terminal's standard error that redraws itself; nothing where there is none. */
final class ProgressBar implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final long INTERVAL = 50_000_000;

  private final PrintWriter err;
  private final boolean terminal;
  private final OptionalLong total;
  private long drawn = Long.MIN_VALUE;

  /**
   * @param total rows to come, if that is known
   */
  ProgressBar(PrintWriter err, boolean terminal, OptionalLong total) {
    this.err = err;
    this.terminal = terminal;
    this.total = total;
  }

  /** Draws, but not more often than an eye can see. */
  void rows(long rows, long now) {
    if (terminal && (drawn == Long.MIN_VALUE || now - drawn > INTERVAL)) {
      drawn = now;
      err.print("\r" + line(rows) + "\u001b[K");
      err.flush();
    }
  }

  /** The line for so many rows. */
  String line(long rows) {
    if (total.isEmpty() || total.getAsLong() == 0) {
      return String.format(Locale.ROOT, "  %,d rows", rows);
    }
    int filled = (int) Math.min(WIDTH, WIDTH * rows / total.getAsLong());
    return String.format(
        Locale.ROOT,
        "  [%s%s] %,d of %,d rows",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        rows,
        total.getAsLong());
  }

  @Override
  public void close() {
    if (terminal) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
