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

  /** Our own logs at debug with {@code -v}, else at {@code normal}. */
  void setLogLevel(Level normal) {
    if (LoggerFactory.getLogger("io.penstock") instanceof Logger ours) {
      ours.setLevel(verbose ? Level.DEBUG : normal);
    }
  }
}
