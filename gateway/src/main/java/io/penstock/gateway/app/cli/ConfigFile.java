package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigResult;
import io.penstock.config.GatewayConfig;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** A configuration from a file named on the command line. */
final class ConfigFile {
  private ConfigFile() {}

  /**
   * @throws CommandFailure with every mistake of the file, one a line
   */
  static GatewayConfig load(Path file) {
    return switch (new ConfigLoader(System.getenv()).load(file)) {
      case ConfigResult.Loaded(GatewayConfig config) -> config;
      case ConfigResult.Invalid invalid ->
          throw CommandFailure.misconfigured(
              invalid.problems().stream()
                  .map(problem -> problem.describe(file))
                  .collect(Collectors.joining("\n")));
    };
  }
}
