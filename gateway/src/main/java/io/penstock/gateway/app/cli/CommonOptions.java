package io.penstock.gateway.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What every command understands. */
@Command(mixinStandardHelpOptions = true)
final class CommonOptions {
  @Option(
      names = {"-v", "--verbose"},
      description = "Say more: debug logs, and the stack trace of a failure.")
  private boolean verbose;

  boolean verbose() {
    return verbose;
  }

  /** Our own logs at info, with {@code -v} at debug. */
  void logNormally() {
    set("io.penstock", verbose ? Level.DEBUG : Level.INFO);
  }

  /** For a command whose output is a table: warnings only, unless {@code -v}. */
  void logLittle() {
    set("io.penstock", verbose ? Level.DEBUG : Level.WARN);
    set("access", verbose ? Level.INFO : Level.OFF);
  }

  private static void set(String logger, Level level) {
    if (LoggerFactory.getLogger(logger) instanceof Logger ours) {
      ours.setLevel(level);
    }
  }
}
