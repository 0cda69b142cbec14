package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigResult;
import io.penstock.config.GatewayConfig;
import io.penstock.gateway.app.RunningGateway;
import io.penstock.gateway.observe.Meters;
import io.penstock.gateway.observe.catalogue.AlertRules;
import io.penstock.gateway.observe.catalogue.Catalogue;
import io.penstock.gateway.observe.catalogue.Dashboard;
import io.penstock.gateway.observe.catalogue.MetricsReference;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Documents made of the meters that the gateway declares: a gateway is started on free ports and
 * asked, and ended again.
 */
@Command(
    name = "metrics",
    description = {
      "Print what is made of the declared meters: a Grafana dashboard, Prometheus alert rules, or a"
          + " page that lists them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock metrics dashboard > k8s/dashboards/penstock.json",
      "  ./penstock metrics alerts > k8s/alerts/penstock.yaml",
      "  ./penstock metrics reference > docs/metrics.md"
    })
final class MetricsCommand implements Callable<Integer> {
  private static final String YAML =
      """
      listen: {s3: {port: 0}, admin: {port: 0}}
      upstream: {endpoints: ['http://127.0.0.1:9'], access-key: none, secret-key: none}
      tenants: [{name: none, access-key: none, secret-key: none}]
      cache: {disk: {path: '%s', size: 1MiB}}
      """;

  /** What can be printed. */
  enum Document {
    DASHBOARD,
    ALERTS,
    REFERENCE;

    String of(Catalogue catalogue) {
      return switch (this) {
        case DASHBOARD -> Dashboard.json(catalogue);
        case ALERTS -> AlertRules.yaml(catalogue);
        case REFERENCE -> MetricsReference.markdown(catalogue);
      };
    }
  }

  @Parameters(paramLabel = "DOCUMENT", description = "dashboard, alerts or reference")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Document document;

  @Mixin
  @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    spec.commandLine().getOut().print(document.of(catalogue()));
    spec.commandLine().getOut().flush();
    return ExitCodes.DONE;
  }

  /** Every meter that a gateway can have. */
  static Catalogue catalogue() throws IOException {
    Path folder = Files.createTempDirectory("penstock-metrics");
    try (Meters meters = new Meters("", "", "")) {
      meters.rehearse();
      return Catalogue.of(scrape(folder), meters.scrape());
    } finally {
      delete(folder);
    }
  }

  private static String scrape(Path folder) throws IOException {
    RunningGateway gateway = Gateways.start(config(folder));
    try (InputStream answer = gateway.admin().resolve("/metrics").toURL().openStream()) {
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      Gateways.close(gateway);
    }
  }

  private static GatewayConfig config(Path folder) throws IOException {
    String yaml = YAML.formatted(folder.resolve("cache"));
    return switch (new ConfigLoader(Map.of()).parse(yaml, folder)) {
      case ConfigResult.Loaded(GatewayConfig config) -> config;
      case ConfigResult.Invalid invalid -> throw new IllegalStateException(invalid.toString());
    };
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
