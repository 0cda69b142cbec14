package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Appends one line for each judgement to target/judges/verdicts.tsv: who and where, what, how long
 * it took, how it went.
 */
final class Verdicts {
  private static final Path FILE = Tools.workFolder("").resolve("verdicts.tsv");
  private static final int LONGEST = 400;

  private Verdicts() {}

  static synchronized void record(
      String bench, Step step, OddKey key, long startNanos, @Nullable Throwable failure) {
    String outcome = failure == null ? "ok" : String.valueOf(failure).replaceAll("\\s+", " ");
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    String line =
        String.join(
            "\t",
            bench,
            step.name(),
            key.name(),
            millis + " ms",
            outcome.substring(0, Math.min(LONGEST, outcome.length())));
    try {
      Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
