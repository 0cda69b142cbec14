package io.penstock.gateway.app.cli;

import io.penstock.gateway.app.BuildInfo;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says what runs here: enough for a bug report. */
@Command(
    name = "version",
    description = "Print version, commit, Java and the transports this machine has.",
    footerHeading = "%nExample:%n",
    footer = "  ./penstock version")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  @Mixin
  @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli, and it has no logs
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    for (String line : getVersion()) {
      spec.commandLine().getOut().println(line);
    }
    return ExitCodes.DONE;
  }

  @Override
  public String[] getVersion() {
    BuildInfo build = BuildInfo.load();
    return List.of(
            "penstock   " + build.version(),
            "commit     " + build.commit() + " of " + build.commitTime(),
            "java       " + Runtime.version() + ", " + System.getProperty("java.vendor"),
            "machine    "
                + System.getProperty("os.name")
                + " "
                + System.getProperty("os.version")
                + " "
                + System.getProperty("os.arch")
                + ", "
                + Runtime.getRuntime().availableProcessors()
                + " processors")
        .toArray(String[]::new);
  }
}
