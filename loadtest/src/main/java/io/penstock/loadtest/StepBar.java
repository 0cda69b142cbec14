package io.penstock.loadtest;

import io.penstock.loadtest.lab.LabRun;
import java.util.Locale;

/**
 * One line on stderr that says how many measurements are done: rewritten in place on a terminal,
 * one after the other elsewhere.
 *
 * <p>Threading: the runner's thread.
 */
final class StepBar implements LabRun.Progress, AutoCloseable {
  private static final int WIDTH = 24;
  private static final int LINE = 110;

  private final boolean terminal = Boolean.getBoolean("penstock.terminal");

  @Override
  public void at(int done, int total, String next) {
    String line = line(done, total, next);
    if (terminal) {
      System.err.print("\r" + String.format(Locale.ROOT, "%-" + LINE + "s", line));
    } else {
      System.err.println(line);
    }
  }

  /** The line for this moment. */
  static String line(int done, int total, String next) {
    int filled = total == 0 ? WIDTH : done * WIDTH / total;
    String bar = "#".repeat(filled) + " ".repeat(WIDTH - filled);
    String line = "[" + bar + "] " + done + "/" + total + " " + next;
    return line.length() > LINE ? line.substring(0, LINE) : line;
  }

  @Override
  public void close() {
    if (terminal) {
      System.err.print("\r" + " ".repeat(LINE) + "\r");
    }
  }
}
