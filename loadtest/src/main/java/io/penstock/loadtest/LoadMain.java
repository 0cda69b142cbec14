package io.penstock.loadtest;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code ./penstock loadtest}: the load generator, the static store, the bench against peers and
 * the lab.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "loadtest",
    description =
        "Measure an S3 endpoint, compare it with other proxies, play the papers' experiments.",
    subcommands = {
      RunCommand.class,
      PeersCommand.class,
      LabCommand.class,
      LabReadCommand.class,
      StoreCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(run | peers | lab | store)")
public final class LoadMain implements Runnable {
  @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  private LoadMain() {}

  /** Exit codes: 0 a clean run, 1 a run with errors, 2 wrong arguments or files. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new LoadMain()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
