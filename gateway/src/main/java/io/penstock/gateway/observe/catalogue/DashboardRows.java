package io.penstock.gateway.observe.catalogue;

import static io.penstock.gateway.observe.catalogue.Panel.quantile;
import static io.penstock.gateway.observe.catalogue.Panel.rareRate;
import static io.penstock.gateway.observe.catalogue.Panel.rate;
import static io.penstock.gateway.observe.catalogue.Panel.sum;

import io.penstock.gateway.observe.catalogue.Panel.Query;
import io.penstock.gateway.observe.catalogue.Panel.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the dashboard shows: rows laid out by hand for what one looks at first, and one row made
 * from every meter that those leave out, so that none is forgotten.
 */
final class DashboardRows {
  private static final String REQUESTS = "penstock_request_duration_seconds";
  private static final String TRIES = "penstock_upstream_request_duration_seconds";

  private DashboardRows() {}

  static List<Row> of(Catalogue catalogue) {
    List<Row> rows =
        new ArrayList<>(List.of(clients(), store(), cache(), batches(), memory(), machine()));
    rows.add(new Row("Everything else", rest(catalogue, rows)));
    return rows;
  }

  private static Row clients() {
    return new Row(
        "Clients",
        List.of(
            Panel.of("Requests", "reqps", rate(REQUESTS + "_count", "operation")),
            Panel.of("Answers by status", "reqps", rate(REQUESTS + "_count", "status")),
            Panel.of(
                "Time to the first byte",
                "s",
                quantile(0.5, "penstock_request_first_byte_seconds"),
                quantile(0.99, "penstock_request_first_byte_seconds")),
            Panel.of(
                "Bytes",
                "Bps",
                rate("penstock_response_sent_bytes_total"),
                rate("penstock_request_received_bytes_total")),
            Panel.of(
                "In flight",
                "short",
                sum("penstock_requests_in_flight"),
                sum("penstock_client_connections")),
            Panel.of(
                "Refused or broken off",
                "reqps",
                rareRate("penstock_requests_rejected_total", "code"),
                rareRate("penstock_requests_cancelled_total", "operation"))));
  }

  private static Row store() {
    return new Row(
        "Store",
        List.of(
            Panel.of("Tries by outcome", "reqps", rate(TRIES + "_count", "outcome")),
            Panel.of(
                "Time to the head of an answer", "s", quantile(0.5, TRIES), quantile(0.99, TRIES)),
            Panel.of(
                "Bytes",
                "Bps",
                rate("penstock_upstream_received_bytes_total"),
                rareRate("penstock_upstream_sent_bytes_total")),
            Panel.of(
                "Connections",
                "short",
                sum("penstock_upstream_connections"),
                sum("penstock_upstream_connections_idle"),
                new Query(
                    "sum(penstock_upstream_calls_waiting{$on}) or vector(0)", "waiting calls")),
            Panel.of(
                "Second tries",
                "reqps",
                rareRate("penstock_upstream_retries_total"),
                rareRate("penstock_upstream_hedges_total"),
                rareRate("penstock_upstream_resumes_total")),
            Panel.of(
                "Endpoints without calls",
                "short",
                new Query(
                    "sum by (endpoint) (penstock_upstream_endpoints_ejected{$on}) or vector(0)",
                    "{{endpoint}}"))));
  }

  private static Row cache() {
    String reads = "sum(rate(penstock_cache_reads_total{%s$on}[$__rate_interval]))";
    String hits = reads.formatted("outcome=~\"hit|confirmed\",");
    return new Row(
        "Cache",
        List.of(
            Panel.of("Reads by outcome", "reqps", rate("penstock_cache_reads_total", "outcome")),
            Panel.of(
                "Served from memory",
                "percentunit",
                new Query(
                    hits + " / (" + reads.formatted("") + " > 0) or vector(0)", "of all reads")),
            Panel.of("Held", "bytes", sum("penstock_cache_bytes")),
            Panel.of(
                "Bytes",
                "Bps",
                rate("penstock_cache_served_bytes_total"),
                rate("penstock_cache_filled_bytes_total"),
                rate("penstock_cache_evicted_bytes_total"),
                rate("penstock_cache_read_ahead_wasted_bytes_total"))));
  }

  private static Row batches() {
    return new Row(
        "Batches",
        List.of(
            Panel.of("Items", "cps", rate("penstock_batch_items_total", "outcome")),
            Panel.of("Payload", "Bps", rate("penstock_batch_payload_bytes_total")),
            Panel.of("Streams", "short", sum("penstock_batch_streams")),
            Panel.of("Written into rings", "Bps", rate("penstock_batch_ring_written_bytes_total")),
            Panel.of(
                "Decoding of one item",
                "s",
                new Query(
                    quantile(0.99, "penstock_batch_decode_duration_seconds").expression()
                        + " >= 0 or vector(0)",
                    "p99"))));
  }

  private static Row memory() {
    return new Row(
        "Memory",
        List.of(
            Panel.of(
                "Reserved of the budget",
                "bytes",
                sum("penstock_memory_reserved_bytes", "area"),
                sum("penstock_memory_budget_bytes")),
            Panel.of("Claims that wait", "short", sum("penstock_memory_waiting", "area")),
            Panel.of("Direct memory", "bytes", sum("penstock_netty_direct_memory_used_bytes")),
            Panel.of(
                "Heap",
                "bytes",
                new Query("sum(jvm_memory_used_bytes{area=\"heap\",$on})", "used"))));
  }

  private static Row machine() {
    return new Row(
        "Machine",
        List.of(
            Panel.of(
                "Cores used",
                "short",
                new Query(
                    "sum by (instance) (rate(process_cpu_seconds_total{$on}[$__rate_interval]))",
                    "{{instance}}")),
            Panel.of(
                "Event loops late",
                "s",
                new Query("max by (loop) (penstock_event_loop_lag_seconds{$on})", "loop {{loop}}")),
            Panel.of(
                "Configuration is that of the file",
                "short",
                new Query("min by (instance) (penstock_config_current{$on})", "{{instance}}")),
            Panel.of(
                "Gateways by version",
                "short",
                new Query(
                    "sum by (version, transport) (penstock_build_info{$on})",
                    "{{version}} {{transport}}"))));
  }

  private static List<Panel> rest(Catalogue catalogue, List<Row> rows) {
    Set<String> shown = new HashSet<>();
    rows.forEach(
        row ->
            row.panels()
                .forEach(
                    panel ->
                        panel
                            .queries()
                            .forEach(
                                query ->
                                    catalogue
                                        .readBy(query.expression())
                                        .forEach(it -> shown.add(it.name())))));
    return catalogue.ours().stream()
        .filter(it -> !shown.contains(it.name()) && !it.name().endsWith("_max"))
        .map(DashboardRows::plain)
        .toList();
  }

  private static Panel plain(MetricFamily family) {
    String by = family.labels().isEmpty() ? "instance" : String.join(", ", family.labels());
    String legend =
        family.labels().isEmpty()
            ? "{{instance}}"
            : String.join(" ", family.labels().stream().map(Panel::label).toList());
    String expression =
        switch (family.type()) {
          case "counter" ->
              "sum by (" + by + ") (rate(" + family.name() + "{$on}[$__rate_interval]))";
          case "histogram" -> quantile(0.99, family.name()).expression();
          default -> "sum by (" + by + ") (" + family.name() + "{$on})";
        };
    String unit =
        family.name().contains("_bytes")
            ? (family.type().equals("counter") ? "Bps" : "bytes")
            : family.name().contains("_seconds")
                ? "s"
                : family.type().equals("counter") ? "cps" : "short";
    return Panel.of(
        family.help(),
        unit,
        new Query(family.always() ? expression : expression + " or vector(0)", legend));
  }
}
