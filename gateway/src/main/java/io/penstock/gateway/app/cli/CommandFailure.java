package io.penstock.gateway.app.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code of {@link ExitCodes} and lines that the user can act on. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int exitCode;

  private CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Something did not work. */
  static CommandFailure failed(String message, Throwable cause) {
    return new CommandFailure(ExitCodes.FAILED, message + reason(cause), cause);
  }

  /** A failure whose message already says everything. */
  static CommandFailure reported(Exception cause) {
    return new CommandFailure(ExitCodes.FAILED, String.valueOf(cause.getMessage()), cause);
  }

  static CommandFailure failed(String message) {
    return new CommandFailure(ExitCodes.FAILED, message, null);
  }

  int exitCode() {
    return exitCode;
  }

  /** The deepest cause is the one that names the file, port or host. */
  private static String reason(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return ": " + (message == null ? root.getClass().getSimpleName() : message);
  }
}
