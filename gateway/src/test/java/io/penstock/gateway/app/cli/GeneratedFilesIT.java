package io.penstock.gateway.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.observe.catalogue.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of the declared meters is what is checked in. */
class GeneratedFilesIT {
  private static final Map<MetricsCommand.Document, String> FILES =
      Map.of(
          MetricsCommand.Document.DASHBOARD, "k8s/dashboards/penstock.json",
          MetricsCommand.Document.ALERTS, "k8s/alerts/penstock.yaml",
          MetricsCommand.Document.REFERENCE, "docs/metrics.md");

  @Test
  void dashboardAlertsAndReferenceAreThoseOfTheDeclaredMeters() throws Exception {
    Catalogue catalogue = MetricsCommand.catalogue();
    for (var entry : FILES.entrySet()) {
      assertThat(Files.readString(Path.of("..").resolve(entry.getValue())))
          .as(
              "stale: run ./penstock metrics %s > %s",
              entry.getKey().name().toLowerCase(java.util.Locale.ROOT), entry.getValue())
          .isEqualTo(entry.getKey().of(catalogue));
    }
  }
}
