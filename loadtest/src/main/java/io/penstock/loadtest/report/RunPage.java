package io.penstock.loadtest.report;

import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.record.Recording.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The page of one run: figures, percentiles, throughput and latency over time, the histogram.
 *
 * <p>Threading: one thread.
 */
final class RunPage {
  private static final double[] NINES = {
    0, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.99, 99.999
  };

  private final RunReport report;
  private final Recording recording;

  RunPage(RunReport report) {
    this.report = report;
    this.recording = report.recording();
  }

  String html() {
    var page = new Html("Load test: " + report.scenario().name());
    if (recording.failed()) {
      page.failure("This run had errors; its figures prove nothing. " + errors());
    }
    page.paragraph(report.scenario().description());
    page.table(
        List.of(
            List.of("", "requests/s", "throughput", "requests", "seconds", "errors"),
            List.of(
                report.endpoint(),
                "%,.0f".formatted(recording.requestsPerSecond()),
                Quantity.text(recording.bytesPerSecond()) + "/s",
                "%,d".formatted(recording.totals().completed()),
                "%.1f".formatted(recording.seconds()),
                errors())));
    page.heading("Latency").table(percentiles()).plot(percentilePlot()).plot(histogramPlot());
    page.heading("Over time").plot(throughput()).plot(requests()).plot(latencyOverTime());
    return page.heading("How it was made").origin(report.origin()).data(report.asMap()).page();
  }

  private String errors() {
    return recording.errors().isEmpty()
        ? "none"
        : recording.errors().entrySet().stream()
            .map(entry -> entry.getValue() + " x " + entry.getKey().meaning())
            .sorted()
            .collect(Collectors.joining(", "));
  }

  private List<List<String>> percentiles() {
    List<List<String>> rows = new ArrayList<>();
    report
        .histograms()
        .forEach(
            (name, histogram) -> {
              Map<String, Object> values = RunReport.percentiles(histogram);
              if (rows.isEmpty()) {
                List<String> head = new ArrayList<>(List.of("milliseconds"));
                head.addAll(values.keySet());
                rows.add(head);
              }
              List<String> row = new ArrayList<>(List.of(name));
              values.values().forEach(value -> row.add("%.3f".formatted((Double) value)));
              rows.add(row);
            });
    return rows;
  }

  private static Plot.Axis milliseconds() {
    return new Plot.Axis("ms", true, RunPage::trimmed);
  }

  private static Plot.Axis seconds() {
    return new Plot.Axis("seconds", false, RunPage::trimmed);
  }

  private static String trimmed(double value) {
    return value >= 1000
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.4f", value).replaceAll("\\.?0+$", "");
  }

  /** The x axis stretches towards 100 %: each nine takes the same room. */
  private Plot percentilePlot() {
    var axis = new Plot.Axis("percentile", true, beyond -> trimmed(100 - 100 / beyond) + " %");
    var plot = new Plot("Latency by percentile", axis, milliseconds());
    report
        .histograms()
        .forEach(
            (name, histogram) -> {
              double[] xs = new double[NINES.length];
              double[] ys = new double[NINES.length];
              for (int i = 0; i < NINES.length; i++) {
                xs[i] = 100 / (100 - NINES[i]);
                ys[i] = Math.max(1e-3, histogram.getValueAtPercentile(NINES[i]) / 1e6);
              }
              plot.add(new Plot.Series(name, xs, ys, false));
            });
    return plot;
  }

  private Plot histogramPlot() {
    Histogram histogram = recording.latency();
    List<double[]> bars = new ArrayList<>();
    for (HistogramIterationValue value : histogram.logarithmicBucketValues(10_000, 1.25)) {
      if (value.getCountAddedInThisIterationStep() > 0) {
        bars.add(
            new double[] {
              value.getValueIteratedTo() / 1e6, value.getCountAddedInThisIterationStep()
            });
      }
    }
    var counts = new Plot.Axis("requests", false, RunPage::trimmed);
    return new Plot("How often each latency occurred", milliseconds(), counts)
        .add(new Plot.Series("latency", column(bars, 0), column(bars, 1), true));
  }

  private static double[] column(List<double[]> rows, int index) {
    return rows.stream().mapToDouble(row -> row[index]).toArray();
  }

  private Plot throughput() {
    var axis = new Plot.Axis("MB/s", false, RunPage::trimmed);
    return new Plot("Throughput", seconds(), axis)
        .add(line("MB/s", i -> i.counters().bytes() / i.seconds() / 1e6));
  }

  private Plot requests() {
    var axis = new Plot.Axis("requests/s", false, RunPage::trimmed);
    return new Plot("Completed requests", seconds(), axis)
        .add(line("requests/s", i -> i.counters().completed() / i.seconds()));
  }

  private Plot latencyOverTime() {
    return new Plot("Latency of the requests due in each interval", seconds(), milliseconds())
        .add(line("p50", i -> Math.max(1e-3, i.p50() / 1e6)))
        .add(line("p99", i -> Math.max(1e-3, i.p99() / 1e6)))
        .add(line("max", i -> Math.max(1e-3, i.max() / 1e6)));
  }

  private Plot.Series line(String name, ToDoubleFunction<Interval> value) {
    return new Plot.Series(
        name,
        recording.series().stream().mapToDouble(Interval::at).toArray(),
        recording.series().stream().mapToDouble(value).toArray(),
        false);
  }
}
