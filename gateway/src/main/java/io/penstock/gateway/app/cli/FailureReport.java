package io.penstock.gateway.app.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Every way a command can fail becomes one line on stderr and an exit code. */
final class FailureReport implements IParameterExceptionHandler, IExecutionExceptionHandler {
  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    String hint = "";
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      hint = " (did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?)";
    }
    err.println(name + ": " + firstLine(failure) + hint + "; see " + name + " --help");
    return ExitCodes.WRONG_USE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(describe(failure, name));
    if (verbose(command)) {
      failure.printStackTrace(err);
    }
    return failure instanceof CommandFailure known ? known.exitCode() : ExitCodes.FAILED;
  }

  private static boolean verbose(CommandLine command) {
    return command.getCommandSpec().mixins().values().stream()
        .anyMatch(
            mixin -> mixin.userObject() instanceof CommonOptions options && options.verbose());
  }

  private static String describe(Exception failure, String name) {
    return failure instanceof CommandFailure known
        ? known.describe(name)
        : name + ": " + failure + " (this is a defect; run again with -v and report it)";
  }

  private static String firstLine(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message.lines().findFirst().orElse("");
  }
}
