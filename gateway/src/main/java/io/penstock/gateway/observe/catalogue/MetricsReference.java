package io.penstock.gateway.observe.catalogue;

/** The page that lists every metric. */
public final class MetricsReference {
  private static final String HEAD =
      """
      # Metrics

      <!-- written by ./penstock metrics reference -->

      `GET /metrics` on the admin port answers in Prometheus' text format. No label holds a key, a bucket or anything else
      that a client chooses. Metrics without a mark are there from the start; those marked * come with the first event
      that they count, so write `... or vector(0)` where none is meant to be zero. Beside these there are Micrometer's
      meters of the JVM (`jvm_*`), the process (`process_*`) and the machine (`system_*`).

      - Dashboard: [k8s/dashboards/penstock.json](../k8s/dashboards/penstock.json), for Grafana's import.
      - Alerts: [k8s/alerts/penstock.yaml](../k8s/alerts/penstock.yaml); what to do about each:
        [troubleshooting.md](troubleshooting.md).
      - A page for people: `/status` on the admin port.

      Both files and this page are made from the declared meters:

      ```sh
      ./penstock metrics dashboard > k8s/dashboards/penstock.json
      ./penstock metrics alerts > k8s/alerts/penstock.yaml
      ./penstock metrics reference > docs/metrics.md
      ```

      | metric | type | labels | meaning |
      |---|---|---|---|
      """;

  private MetricsReference() {}

  public static String markdown(Catalogue catalogue) {
    StringBuilder page = new StringBuilder(HEAD);
    for (MetricFamily family : catalogue.ours()) {
      String labels =
          String.join(", ", family.labels().stream().map(it -> "`" + it + "`").toList());
      page.append(
          "| `%s`%s | %s | %s | %s |\n"
              .formatted(
                  family.name(),
                  family.always() ? "" : " *",
                  family.type(),
                  labels,
                  family.help()));
    }
    return page.toString();
  }
}
