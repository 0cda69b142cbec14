package io.penstock.gateway.app.cli;

import io.penstock.dpu.transport.LoopbackProof;
import io.penstock.dpu.transport.TransportKind;
import io.penstock.gateway.app.BuildInfo;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
  private static final long PROOF_TIMEOUT_MILLIS = 3_000;

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
                + " processors",
            "transports " + transports())
        .toArray(String[]::new);
  }

  /** Each is tried; what does not work here stands with its reason. */
  private static String transports() {
    var proof = new LoopbackProof(1, PROOF_TIMEOUT_MILLIS);
    return Arrays.stream(TransportKind.values())
        .map(kind -> kind + proof.refusal(kind).map(why -> " (no: " + why + ")").orElse(""))
        .collect(Collectors.joining(", "));
  }
}
