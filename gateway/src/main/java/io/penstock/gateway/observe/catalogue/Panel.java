package io.penstock.gateway.observe.catalogue;

import java.util.List;

/**
 * One graph of the dashboard.
 *
 * @param unit as Grafana names units
 */
record Panel(String title, String unit, List<Query> queries) {
  Panel {
    queries = List.copyOf(queries);
  }

  /**
   * One expression; {@code $on} stands for the chosen gateways.
   *
   * @param legend with labels as {@code {{label}}}
   */
  record Query(String expression, String legend) {}

  /** A row with a heading. */
  record Row(String title, List<Panel> panels) {
    Row {
      panels = List.copyOf(panels);
    }
  }

  static Panel of(String title, String unit, Query... queries) {
    return new Panel(title, unit, List.of(queries));
  }

  /** What something grows by in a second, by label; null-free even before it exists. */
  static Query rate(String metric, String label) {
    return new Query(
        "sum by (" + label + ") (rate(" + metric + "{$on}[$__rate_interval]))", label(label));
  }

  static Query rate(String metric) {
    return new Query("sum(rate(" + metric + "{$on}[$__rate_interval]))", legend(metric));
  }

  /** The same for what a healthy gateway does not have: nothing counts as none. */
  static Query rareRate(String metric, String label) {
    Query rate = rate(metric, label);
    return new Query(rate.expression() + " or vector(0)", rate.legend());
  }

  static Query rareRate(String metric) {
    Query rate = rate(metric);
    return new Query(rate.expression() + " or vector(0)", rate.legend());
  }

  static Query quantile(double quantile, String histogram) {
    return new Query(
        "histogram_quantile("
            + quantile
            + ", sum by (le) (rate("
            + histogram
            + "_bucket{$on}[$__rate_interval])))",
        "p" + Math.round(quantile * 100));
  }

  static Query sum(String gauge) {
    return new Query("sum(" + gauge + "{$on})", legend(gauge));
  }

  static Query sum(String gauge, String label) {
    return new Query("sum by (" + label + ") (" + gauge + "{$on})", label(label));
  }

  static String label(String name) {
    return "{{" + name + "}}";
  }

  private static String legend(String metric) {
    return metric.replaceFirst("^penstock_", "").replaceFirst("_total$", "").replace('_', ' ');
  }
}
