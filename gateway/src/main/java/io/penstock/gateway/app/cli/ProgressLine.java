package io.penstock.gateway.app.cli;

import java.io.PrintWriter;

/**
 * What is going on, on stderr: a bar that redraws itself on a terminal, one line a phase elsewhere.
 *
 * <p>Threading: {@link Phase#step} may be called by any thread.
 */
final class ProgressLine {
  private static final int WIDTH = 30;
  private final PrintWriter err;
  private final boolean terminal;

  ProgressLine(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  /** Announces what comes next. */
  Phase phase(String what) {
    if (terminal) {
      draw("  " + what);
    } else {
      err.println(what);
    }
    return new Phase(what);
  }

  /** One thing that takes a while. */
  final class Phase {
    private final String what;
    private int drawn = -1;

    private Phase(String what) {
      this.what = what;
    }

    /** Redraws only when the bar grows. */
    synchronized void step(int done, int total) {
      int filled = (int) ((long) WIDTH * done / total);
      if (terminal && filled > drawn) {
        drawn = filled;
        draw("  %-24s [%s%s]".formatted(what, "#".repeat(filled), ".".repeat(WIDTH - filled)));
      }
    }

    void end() {
      if (terminal) {
        draw("");
      }
    }
  }

  private void draw(String line) {
    // back to the first column, and nothing left of a longer line
    err.print("\r" + line + "\u001b[K");
    err.flush();
  }
}
