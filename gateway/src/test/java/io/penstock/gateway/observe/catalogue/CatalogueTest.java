package io.penstock.gateway.observe.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private static final String FRESH =
      """
      # HELP penstock_now Now
      # TYPE penstock_now gauge
      penstock_now 1.0
      # HELP jvm_x X
      # TYPE jvm_x gauge
      jvm_x{area="heap, or \\"not\\" {}"} 1.0
      """;
  private static final String REHEARSED =
      """
      # HELP penstock_took_seconds Time
      # TYPE penstock_took_seconds histogram
      penstock_took_seconds_bucket{b="x",a="y",le="1.0"} 1
      penstock_took_seconds_count{b="x",a="y"} 1
      penstock_took_seconds_sum{b="x",a="y"} 1.0
      """;
  private final Catalogue catalogue = Catalogue.of(FRESH, REHEARSED);

  @Test
  void familiesHaveTheirLabelsAndWhetherTheyAreThereFromTheStart() {
    assertThat(catalogue.ours())
        .containsExactly(
            new MetricFamily("penstock_now", "gauge", "Now", List.of(), true),
            new MetricFamily(
                "penstock_took_seconds", "histogram", "Time", List.of("a", "b"), false));
  }

  @Test
  void anExpressionMayNameWhatIsDeclaredAndNothingElse() {
    assertThat(catalogue.readBy("rate(penstock_took_seconds_bucket{le=\"1\"}[5m]) / jvm_x"))
        .extracting(MetricFamily::name)
        .containsExactly("penstock_took_seconds", "jvm_x");
    assertThatThrownBy(() -> catalogue.readBy("penstock_now + penstock_tomorrow"))
        .hasMessageContaining("penstock_tomorrow");
    assertThatThrownBy(() -> catalogue.readBy("penstock_now_count"))
        .hasMessageContaining("penstock_now_count");
  }

  @Test
  void rulesAreNotMadeWithoutTheirMeters() {
    assertThatThrownBy(() -> AlertRules.yaml(catalogue)).hasMessageContaining("no meter");
    assertThatThrownBy(() -> Dashboard.json(catalogue)).hasMessageContaining("no meter");
  }
}
