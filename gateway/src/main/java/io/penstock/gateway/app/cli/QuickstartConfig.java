package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigResult;
import io.penstock.config.GatewayConfig;
import io.penstock.config.Problem;
import io.penstock.gateway.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** The configuration a user would write for the quick start's store, with every other default. */
final class QuickstartConfig {
  static final String ACCESS_KEY = "demo";
  static final String SECRET_KEY = "demo-secret";

  private static final String YAML =
      """
      listen:
        s3: {host: 127.0.0.1, port: %d}
        admin: {host: 127.0.0.1, port: %d}
      upstream:
        endpoints: ['%s']
        region: us-east-1
        addressing: path
        access-key: '%s'
        secret-key: '%s'
      tenants:
        - {name: demo, access-key: %s, secret-key: %s}
      runtime: {transport: %s}
      """;

  private QuickstartConfig() {}

  /**
   * @throws CommandFailure if there is no such transport
   */
  static GatewayConfig of(EmbeddedStore store, int port, int adminPort, String transport) {
    String yaml =
        YAML.formatted(
            port,
            adminPort,
            store.endpoint(),
            store.accessKey(),
            store.secretKey().reveal(),
            ACCESS_KEY,
            SECRET_KEY,
            transport);
    return switch (new ConfigLoader(Map.of()).parse(yaml, Path.of(""))) {
      case ConfigResult.Loaded(GatewayConfig config) -> config;
      case ConfigResult.Invalid invalid ->
          throw CommandFailure.misconfigured(
              invalid.problems().stream()
                  .map(Problem::message)
                  .collect(Collectors.joining("\n", "penstock quickstart: ", "")));
    };
  }
}
