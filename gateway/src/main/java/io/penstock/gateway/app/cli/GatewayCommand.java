package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigHandle;
import io.penstock.config.GatewayConfig;
import io.penstock.gateway.app.RunningGateway;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The gateway until a signal ends it: requests in flight finish first. */
@Command(
    name = "gateway",
    description = {
      "Run the gateway.",
      "When it serves it prints one line on stdout: ready s3=URL admin=URL",
      "Everything else is a log line on stderr. SIGTERM: not ready any more, requests in flight"
          + " finish (limits.drain-timeout), then it ends with 0."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:ended by SIGTERM or Ctrl-C, drained",
      "1:could not start, e.g. a port is taken",
      "2:wrong use, or mistakes in the configuration: each is one line FILE:LINE: KEY: MESSAGE"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  export STORE_ACCESS_KEY=demo STORE_SECRET_KEY=demo-secret",
      "  ./penstock gateway --config examples/minimal.yaml",
      "",
      "  The keys of the file: ./penstock config reference"
    })
final class GatewayCommand implements Callable<Integer> {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      required = true,
      description = "The configuration, YAML.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path config;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    common.logNormally();
    GatewayConfig checked = ConfigFile.load(config);
    ConfigHandle handle = new ConfigHandle(checked);
    RunningGateway gateway = Gateways.start(handle);
    try (ConfigFollower _ = new ConfigFollower(config, handle, gateway.configuration()::report)) {
      spec.commandLine().getOut().println("ready s3=" + gateway.s3() + " admin=" + gateway.admin());
      TerminationSignal.await();
    }
    Gateways.drain(gateway);
    return ExitCodes.DONE;
  }
}
