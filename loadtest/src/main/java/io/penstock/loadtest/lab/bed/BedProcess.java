package io.penstock.loadtest.lab.bed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process in a namespace whose output goes to a file.
 *
 * <p>Threading: one thread at a time.
 */
public final class BedProcess implements AutoCloseable {
  private static final long START_SECONDS = 180;
  private static final long STOP_SECONDS = 10;
  private static final String LISTENING = "0A";

  private final String title;
  private final Process process;
  private final Path log;

  private BedProcess(String title, Process process, Path log) {
    this.title = title;
    this.process = process;
    this.log = log;
  }

  /** Starts {@code command}; {@code log} takes what it writes. */
  public static BedProcess start(
      String title, List<String> command, Map<String, String> environment, Path log)
      throws BedException {
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(log.toFile());
      builder.redirectInput(Path.of("/dev/null").toFile());
      builder.environment().putAll(environment);
      return new BedProcess(title, builder.start(), log);
    } catch (IOException e) {
      throw new BedException("cannot start " + title + ": " + e.getMessage());
    }
  }

  /**
   * Waits until the process's namespace listens on {@code port}.
   *
   * @throws BedException when it ends instead, or is not ready in time
   */
  public void awaitListening(int port) throws BedException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!listens(port)) {
      if (!process.isAlive()) {
        throw new BedException(title + " ended: " + lastLines());
      }
      if (System.nanoTime() > deadline) {
        throw new BedException(title + " was not ready in " + START_SECONDS + " s: " + lastLines());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** From {@code /proc/PID/net/tcp} and tcp6: local address, port in hex, state 0A. */
  private boolean listens(int port) {
    String end = String.format(Locale.ROOT, ":%04X", port);
    for (String table : List.of("tcp", "tcp6")) {
      try (var lines = Files.lines(Path.of("/proc/" + process.pid() + "/net/" + table))) {
        if (lines
            .map(line -> line.strip().split("\\s+", 5))
            .anyMatch(f -> f.length > 3 && f[1].endsWith(end) && f[3].equals(LISTENING))) {
          return true;
        }
      } catch (IOException e) {
        // it has ended or has no IPv6: the caller finds out
      }
    }
    return false;
  }

  /**
   * Waits for its end and returns what it wrote.
   *
   * @throws BedException when it fails or takes longer than {@code seconds}
   */
  public List<String> finish(long seconds) throws BedException, InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      close();
      throw new BedException(title + " took longer than " + seconds + " s: " + lastLines());
    }
    if (process.exitValue() != 0) {
      throw new BedException(title + " failed: " + lastLines());
    }
    return lines();
  }

  private String lastLines() {
    List<String> lines = lines();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of();
    }
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
