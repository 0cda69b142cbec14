package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigReference;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What can be done with a configuration without running it. */
@Command(
    name = "config",
    synopsisSubcommandLabel = "COMMAND",
    description = "Check a configuration file, or print the reference of every key.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock config check examples/minimal.yaml",
      "  ./penstock config reference > docs/configuration.md"
    },
    subcommands = {ConfigCommand.Check.class, ConfigCommand.Reference.class})
final class ConfigCommand implements Runnable {
  @Mixin
  @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; for --help
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** Loads a file as the gateway would and stops there. */
  @Command(
      name = "check",
      description = {
        "Check a configuration file as the gateway would at its start, including the environment"
            + " variables and the files it names.",
        "Prints every mistake at once, each as FILE:LINE: KEY: MESSAGE on stderr."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:the gateway would start with it", "2:mistakes"},
      footerHeading = "%nExample:%n",
      footer = "  ./penstock config check examples/minimal.yaml")
  static final class Check implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The configuration, YAML.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
    private CommonOptions common;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
      ConfigFile.load(file);
      spec.commandLine().getOut().println(file + ": no mistakes");
      return ExitCodes.DONE;
    }
  }

  /** The generated reference. */
  @Command(
      name = "reference",
      description = "Print every key with its type, unit, default and meaning, as Markdown.",
      footerHeading = "%nExample:%n",
      footer = "  ./penstock config reference > docs/configuration.md")
  static final class Reference implements Callable<Integer> {
    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
    private CommonOptions common;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
      spec.commandLine().getOut().print(ConfigReference.markdown());
      spec.commandLine().getOut().flush();
      return ExitCodes.DONE;
    }
  }
}
