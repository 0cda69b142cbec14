package io.penstock.gateway.app.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The root of the command line: knows the subcommands and ends the JVM with the exit code of the
 * one that ran.
 *
 * <p>Threading: commands run on the main thread.
 */
@Command(
    name = "penstock",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "An S3 gateway: point any S3 client at it instead of at the store.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed; one line on stderr says why, -v adds the stack trace",
      "2:wrong use, or mistakes in the configuration"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock quickstart --once",
      "  ./penstock gateway --config examples/minimal.yaml",
      "  ./penstock COMMAND --help"
    },
    subcommands = {
      QuickstartCommand.class,
      GatewayCommand.class,
      StoreCommand.class,
      ConfigCommand.class,
      MetricsCommand.class,
      ModelCommand.class,
      VersionCommand.class
    })
public final class PenstockCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Runs one command and ends the JVM. */
  public static void main(String[] args) {
    var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    TerminationSignal.exit(commandLine(out, err).execute(args));
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    var failures = new FailureReport();
    return new CommandLine(new PenstockCommand())
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }
}
