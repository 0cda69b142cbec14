package io.penstock.loadtest;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code ./penstock loadtest}: the load generator, the static store and the bench against peers.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "loadtest",
    description = "Measure an S3 endpoint, and compare it with other proxies.",
    subcommands = {RunCommand.class, PeersCommand.class, StoreCommand.class},
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(run | peers | store)")
public final class LoadMain implements Runnable {
  @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  private LoadMain() {}

  /** Exit codes: 0 a clean run, 1 a run with errors, 2 wrong arguments or files. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new LoadMain()).execute(args));
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }
}
