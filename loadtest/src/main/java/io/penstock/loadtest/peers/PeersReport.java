package io.penstock.loadtest.peers;

import io.penstock.loadtest.peers.Sample.Metric;
import io.penstock.loadtest.report.Html;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The comparison for people and programs: medians over the rounds with min..max, ratios to the
 * case's baseline within each round, and the ways in which peers were not able to run.
 *
 * <p>Threading: immutable.
 */
record PeersReport(List<CaseResult> results, List<String> unavailable, Origin origin) {
  private static final List<Metric> ALWAYS =
      List.of(
          Metric.CPU_MS_PER_GB,
          Metric.REQUESTS_PER_CPU_SECOND,
          Metric.MB_PER_SECOND,
          Metric.P50_MS,
          Metric.P99_MS,
          Metric.PROXY_CORE,
          Metric.LOAD_CORE);

  /** For the terminal. */
  String text() {
    var text = new StringBuilder();
    for (CaseResult result : results) {
      text.append('\n').append(result.bench().name()).append(": ");
      text.append(result.bench().question()).append('\n');
      text.append(aligned(rows(result)));
    }
    unavailable.forEach(why -> text.append("\nnot measured: ").append(why));
    return text.append('\n').toString();
  }

  private static String aligned(List<List<String>> rows) {
    var text = new StringBuilder();
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        int at = column;
        int width = rows.stream().mapToInt(other -> other.get(at).length()).max().orElse(0);
        String form = column == 0 ? "  %-" + width + "s" : "  %" + width + "s";
        text.append(String.format(Locale.ROOT, form, row.get(column)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** The table of one case; the first row is its head. */
  private static List<List<String>> rows(CaseResult result) {
    BenchCase bench = result.bench();
    List<Metric> metrics = new ArrayList<>(ALWAYS);
    if (!metrics.contains(bench.decides())) {
      metrics.add(bench.decides());
      metrics.add(Metric.STORE_REQUESTS);
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("", comparison(bench)));
    metrics.forEach(metric -> head.add(metric.title()));
    head.add("errors");
    rows.add(head);
    for (Variant variant : bench.variants()) {
      List<String> row = new ArrayList<>(List.of(variant.label(), decisive(result, variant)));
      for (Metric metric : metrics) {
        boolean silent = variant.isDirect() && metric.needsProxy();
        Spread spread = result.spread(variant.label(), metric);
        // the spread of the figure that decides; of the others the median is enough here
        row.add(silent ? "-" : metric == bench.decides() ? spread.text() : spread.medianText());
      }
      long errors = result.errors(variant.label());
      row.add(errors == 0 ? "0" : errors + " FAILED");
      rows.add(row);
    }
    return rows;
  }

  private static String comparison(BenchCase bench) {
    return bench.halfLoad()
        ? "added p50 / p99 ms"
        : "x " + bench.baseline() + (bench.decides().higherIsBetter() ? " (higher is better)" : "");
  }

  private static String decisive(CaseResult result, Variant variant) {
    BenchCase bench = result.bench();
    if (bench.halfLoad()) {
      return result.added(variant.label(), Metric.P50_MS).text()
          + " / "
          + result.added(variant.label(), Metric.P99_MS).text();
    }
    boolean silent = variant.isDirect() && bench.decides().needsProxy();
    return silent ? "-" : result.ratio(variant.label(), bench.decides()).text();
  }

  /** For programs: every round of every variant, then the medians and ratios. */
  Map<String, Object> asMap() {
    return Json.object(
        "origin", origin.asMap(),
        "not_measured", unavailable,
        "cases", results.stream().map(PeersReport::caseMap).toList());
  }

  private static Map<String, Object> caseMap(CaseResult result) {
    BenchCase bench = result.bench();
    Map<String, Object> variants = new LinkedHashMap<>();
    for (Variant variant : bench.variants()) {
      variants.put(variant.label(), variantMap(result, variant));
    }
    return Json.object(
        "name", bench.name(),
        "question", bench.question(),
        "baseline", bench.baseline(),
        "decides", bench.decides().title(),
        "variants", variants);
  }

  private static Map<String, Object> variantMap(CaseResult result, Variant variant) {
    Map<String, Object> metrics = new LinkedHashMap<>();
    for (Metric metric : Metric.values()) {
      if (!(variant.isDirect() && metric.needsProxy())) {
        metrics.put(
            metric.name().toLowerCase(Locale.ROOT),
            Json.object(
                "value", spread(result.spread(variant.label(), metric)),
                "ratio", spread(result.ratio(variant.label(), metric)),
                "added", spread(result.added(variant.label(), metric)),
                "rounds", rounds(result, variant, metric)));
      }
    }
    return Json.object("errors", result.errors(variant.label()), "metrics", metrics);
  }

  private static List<Double> rounds(CaseResult result, Variant variant, Metric metric) {
    return result.samples().getOrDefault(variant.label(), List.of()).stream()
        .map(sample -> sample.value(metric))
        .toList();
  }

  private static Map<String, Object> spread(Spread spread) {
    return Json.object("median", spread.median(), "min", spread.min(), "max", spread.max());
  }

  /** One page with everything in it. */
  String html() {
    var page = new Html("Penstock and its peers");
    long errors =
        results.stream()
            .flatMap(r -> r.bench().variants().stream().map(v -> r.errors(v.label())))
            .mapToLong(Long::longValue)
            .sum();
    if (errors > 0) {
      page.failure(errors + " requests failed; the rows marked FAILED prove nothing.");
    }
    page.paragraph(
        "Medians over interleaved rounds, min..max beside them; ratios are taken within a round. "
            + "The proxy is pinned to one core, client and store to another.");
    for (CaseResult result : results) {
      page.heading(result.bench().name()).paragraph(result.bench().question());
      page.table(rows(result));
    }
    unavailable.forEach(why -> page.paragraph("Not measured: " + why));
    return page.heading("How it was made").origin(origin).data(asMap()).page();
  }
}
