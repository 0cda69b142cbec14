package io.penstock.gateway.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that talks over its standard input and output, one line each way, and that ends when
 * its input does. The pipe is also the leash: a JVM that dies, however it dies, takes the program
 * with it.
 *
 * <p>Threading: one thread at a time.
 */
final class Daemon implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;
  private final Path log;

  private Daemon(Process process, Path log) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
    this.log = log;
  }

  /** Starts {@code builder}'s program; what it writes to standard error goes to {@code log}. */
  static Daemon start(ProcessBuilder builder, Path log) {
    try {
      builder.redirectError(log.toFile());
      return new Daemon(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Daemon start(List<String> command, Path log) {
    return start(new ProcessBuilder(command), log);
  }

  /** The next line the program prints; throws when it ended instead. */
  String readLine() {
    try {
      @Nullable String line = lines.readLine();
      if (line == null) {
        throw new IllegalStateException("ended early: " + process.info() + "\n" + tail());
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void writeLine(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be asked any more\n" + tail(), e);
    }
  }

  /** The end of what the program wrote to standard error. */
  String tail() {
    try {
      List<String> all = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return String.join("\n", all.subList(Math.max(0, all.size() - 40), all.size()));
    } catch (IOException e) {
      return "(no log at " + log + ")";
    }
  }

  /** Ends the input and waits for the program to clean up and go. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
