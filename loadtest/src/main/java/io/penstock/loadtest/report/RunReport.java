package io.penstock.loadtest.report;

import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.Recording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * One run as text, JSON or HTML. {@code endpoint} is where it went.
 *
 * <p>Threading: any, once the run is over.
 */
public record RunReport(Scenario scenario, String endpoint, Recording recording, Origin origin) {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

  /** For the terminal. */
  public String text() {
    var text = new StringBuilder();
    if (recording.failed()) {
      text.append("\nFAILED: this run had errors, its figures prove nothing\n");
      recording
          .errors()
          .forEach(
              (kind, count) ->
                  text.append("  %,d  %s: %s%n".formatted(count, kind.text(), kind.meaning())));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%n%s against %s%n%,.0f requests/s  %s/s  %,d requests in %.1f s%n%n",
            scenario.name(),
            endpoint,
            recording.requestsPerSecond(),
            Quantity.text(recording.bytesPerSecond()),
            recording.totals().completed(),
            recording.seconds()));
    text.append(row("milliseconds", List.of("p50", "p90", "p99", "p99.9", "p99.99", "max")));
    histograms().forEach((name, histogram) -> text.append(row(name, milliseconds(histogram))));
    return text.toString();
  }

  private static String row(String name, List<String> cells) {
    return String.format("%-34s", name)
        + cells.stream().map(cell -> String.format("%10s", cell)).collect(Collectors.joining())
        + System.lineSeparator();
  }

  private static List<String> milliseconds(Histogram histogram) {
    List<String> cells = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      cells.add("%.3f".formatted(histogram.getValueAtPercentile(percentile) / 1e6));
    }
    cells.add("%.3f".formatted(histogram.getMaxValue() / 1e6));
    return cells;
  }

  /** The three histograms by the name a reader understands. */
  Map<String, Histogram> histograms() {
    Map<String, Histogram> all = new LinkedHashMap<>();
    all.put("from the intended send time", recording.latency());
    all.put("to the first byte", recording.firstByte());
    all.put("from the real send time", recording.service());
    return all;
  }

  /** For programs. Times are in milliseconds. */
  public Map<String, Object> asMap() {
    return Json.object(
        "scenario", scenario(scenario),
        "endpoint", endpoint,
        "origin", origin.asMap(),
        "failed", recording.failed(),
        "errors", errors(recording.errors()),
        "seconds", recording.seconds(),
        "requests", recording.totals().completed(),
        "bytes", recording.totals().bytes(),
        "requests_per_second", recording.requestsPerSecond(),
        "bytes_per_second", recording.bytesPerSecond(),
        "latency_ms", percentiles(recording.latency()),
        "first_byte_ms", percentiles(recording.firstByte()),
        "service_ms", percentiles(recording.service()),
        "series", series(recording));
  }

  static Map<String, Long> errors(Map<ErrorKind, Long> errors) {
    Map<String, Long> named = new TreeMap<>();
    errors.forEach((kind, count) -> named.put(kind.text(), count));
    return named;
  }

  static Map<String, Object> percentiles(Histogram histogram) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (double percentile : PERCENTILES) {
      String name = "p" + (percentile == Math.rint(percentile) ? "%.0f" : "%s");
      all.put(name.formatted(percentile), histogram.getValueAtPercentile(percentile) / 1e6);
    }
    all.put("max", histogram.getMaxValue() / 1e6);
    all.put("mean", histogram.getTotalCount() == 0 ? 0.0 : histogram.getMean() / 1e6);
    return all;
  }

  private static List<Map<String, Object>> series(Recording recording) {
    return recording.series().stream()
        .map(
            interval ->
                Json.object(
                    "at", interval.at(),
                    "requests", interval.counters().completed(),
                    "bytes", interval.counters().bytes(),
                    "errors", interval.counters().errors(),
                    "p50_ms", interval.p50() / 1e6,
                    "p99_ms", interval.p99() / 1e6,
                    "max_ms", interval.max() / 1e6))
        .toList();
  }

  static Map<String, Object> scenario(Scenario scenario) {
    var objects = scenario.objects();
    Map<String, Integer> workload = new LinkedHashMap<>();
    scenario.workload().choices().forEach(c -> workload.put(c.value().text(), c.weight()));
    Map<String, Integer> sizes = new LinkedHashMap<>();
    objects.sizes().choices().forEach(c -> sizes.put(Quantity.text(c.value()), c.weight()));
    return Json.object(
        "name", scenario.name(),
        "description", scenario.description(),
        "workload", workload,
        "sizes", sizes,
        "objects_per_size", objects.count(),
        "keys", objects.zipf() == 0 ? "uniform" : "zipf " + objects.zipf(),
        "payload", scenario.operations().contains(Operation.PUT) ? objects.payload().text() : "",
        "arrivals", arrivals(scenario.arrivals()),
        "connections", scenario.connections().count(),
        "http", scenario.connections().http(),
        "streams", scenario.connections().streams(),
        "warmup_seconds", scenario.timing().warmup().toMillis() / 1e3,
        "seed", scenario.seed());
  }

  private static String arrivals(Arrivals arrivals) {
    return switch (arrivals) {
      case Arrivals.Closed _ -> "closed loop";
      case Arrivals.Open(var schedule) -> "open loop, " + schedule;
    };
  }

  /** One page with everything in it. */
  public String html() {
    return new RunPage(this).html();
  }
}
