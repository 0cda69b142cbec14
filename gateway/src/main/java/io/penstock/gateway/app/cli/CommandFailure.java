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

  /** Mistakes of the user in a configuration, one a line; each line says where it is. */
  static CommandFailure misconfigured(String problems) {
    return new CommandFailure(ExitCodes.WRONG_USE, problems, null);
  }

  /** A failure whose message already says everything. */
  static CommandFailure reported(Exception cause) {
    return new CommandFailure(ExitCodes.FAILED, String.valueOf(cause.getMessage()), cause);
  }

  static CommandFailure failed(String message) {
    return new CommandFailure(ExitCodes.FAILED, message, null);
  }

  /** What stderr shows, {@code name} being the command's. */
  String describe(String name) {
    String message = String.valueOf(getMessage());
    // a line that starts with FILE:LINE can be clicked in an editor; nothing may stand before it
    return exitCode == ExitCodes.WRONG_USE ? message : name + ": " + message;
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
