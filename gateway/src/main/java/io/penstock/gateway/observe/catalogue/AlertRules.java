package io.penstock.gateway.observe.catalogue;

import java.util.List;
import java.util.Locale;

/** When somebody is to be called, in the form of Prometheus' rule files. */
public final class AlertRules {
  private static final String REQUESTS = "penstock_request_duration_seconds_count";
  private static final String TRIES = "penstock_upstream_request_duration_seconds";
  private static final String RUNBOOK = "docs/troubleshooting.md#";

  /**
   * One alert.
   *
   * @param lasting how long it must hold, as Prometheus writes times
   * @param severity {@code critical}: now; {@code warning}: in working hours
   */
  private record Alert(
      String name, String severity, String lasting, String expression, String summary) {}

  private static final List<Alert> ALERTS =
      List.of(
          new Alert(
              "PenstockDown",
              "critical",
              "2m",
              "up{job=~\".*penstock.*\"} == 0",
              "The gateway at {{ $labels.instance }} cannot be scraped."),
          new Alert(
              "PenstockErrors",
              "critical",
              "5m",
              "sum by (instance) (rate("
                  + REQUESTS
                  + "{status=~\"5..\"}[5m])) / sum by (instance) (rate("
                  + REQUESTS
                  + "[5m])) > 0.01",
              "{{ $value | humanizePercentage }} of the answers of {{ $labels.instance }} are errors of the gateway or the store."),
          new Alert(
              "PenstockShedsLoad",
              "warning",
              "10m",
              "sum by (instance) (rate(penstock_requests_rejected_total{code=\"SlowDown\"}[5m])) > 1",
              "{{ $labels.instance }} refuses {{ $value | humanize }} requests a second because it has no room."),
          new Alert(
              "PenstockStoreFails",
              "critical",
              "5m",
              "sum by (instance) (rate("
                  + TRIES
                  + "_count{outcome=~\"unreachable|broken|timed-out|5..\"}[5m])) / sum by (instance) (rate("
                  + TRIES
                  + "_count[5m])) > 0.05",
              "{{ $value | humanizePercentage }} of the tries of {{ $labels.instance }} at the store fail."),
          new Alert(
              "PenstockStoreSlow",
              "warning",
              "10m",
              "histogram_quantile(0.99, sum by (instance, le) (rate("
                  + TRIES
                  + "_bucket[5m]))) > 5",
              "One of a hundred answers of the store takes {{ $value | humanizeDuration }} to begin."),
          new Alert(
              "PenstockEndpointEjected",
              "warning",
              "10m",
              "max by (instance, endpoint) (penstock_upstream_endpoints_ejected) > 0",
              "{{ $labels.instance }} sends nothing to {{ $labels.endpoint }}, which failed too often."),
          new Alert(
              "PenstockTruncatedBodies",
              "warning",
              "0m",
              "sum by (instance) (increase(penstock_upstream_truncated_total[10m])) > 0",
              "Answers broke off in the middle and could not be resumed at {{ $labels.instance }}."),
          new Alert(
              "PenstockMemoryShort",
              "warning",
              "10m",
              "sum by (instance, area) (penstock_memory_waiting) > 0",
              "Work of the area {{ $labels.area }} waits for memory at {{ $labels.instance }}."),
          new Alert(
              "PenstockEventLoopLate",
              "warning",
              "5m",
              "max by (instance) (penstock_event_loop_lag_seconds) > 0.5",
              "An event loop of {{ $labels.instance }} is {{ $value | humanizeDuration }} late: it is overloaded, or blocked."),
          new Alert(
              "PenstockConfigNotApplied",
              "warning",
              "5m",
              "min by (instance) (penstock_config_current) == 0",
              "{{ $labels.instance }} runs on an older configuration than its file holds."),
          new Alert(
              "PenstockCertificateExpires",
              "warning",
              "1h",
              "min by (instance) (penstock_tls_certificate_expiry_seconds) - time() < 7 * 86400",
              "The certificate that {{ $labels.instance }} shows its clients ends in {{ $value | humanizeDuration }}."),
          new Alert(
              "PenstockDiskCacheDown",
              "warning",
              "5m",
              "min by (instance) (penstock_cache_disk_up) == 0",
              "{{ $labels.instance }} could not use the disk of its cache and goes on without."),
          new Alert(
              "PenstockBatchesFail",
              "warning",
              "10m",
              "sum by (instance, code) (rate(penstock_batch_streams_failed_total[5m])) > 0.1",
              "Batch streams of {{ $labels.instance }} end with {{ $labels.code }}."));

  private AlertRules() {}

  /** The rule file. */
  public static String yaml(Catalogue catalogue) {
    StringBuilder yaml = new StringBuilder(4096);
    yaml.append(
        "# written by ./penstock metrics alerts\ngroups:\n  - name: penstock\n    rules:\n");
    for (Alert alert : ALERTS) {
      catalogue.readBy(alert.expression());
      yaml.append("      - alert: ").append(alert.name());
      yaml.append("\n        expr: ").append(quoted(alert.expression()));
      yaml.append("\n        for: ").append(alert.lasting());
      yaml.append("\n        labels: {severity: ").append(alert.severity()).append('}');
      yaml.append("\n        annotations:\n          summary: ").append(quoted(alert.summary()));
      yaml.append("\n          runbook: ")
          .append(RUNBOOK)
          .append(alert.name().toLowerCase(Locale.ROOT))
          .append('\n');
    }
    return yaml.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
