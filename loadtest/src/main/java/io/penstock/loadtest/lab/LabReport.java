package io.penstock.loadtest.lab;

import io.penstock.loadtest.lab.plan.Doubts;
import io.penstock.loadtest.lab.plan.Experiment;
import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.lab.plan.Results;
import io.penstock.loadtest.lab.plan.Results.Verdict;
import io.penstock.loadtest.lab.plan.Setting;
import io.penstock.loadtest.lab.plan.Variant;
import io.penstock.loadtest.peers.Spread;
import io.penstock.loadtest.report.Html;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.Origin;
import io.penstock.loadtest.report.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The lab's results for people and programs: medians over the rounds with min..max, every promise
 * with what was reached, every doubt, and what could not be measured.
 *
 * <p>Threading: immutable.
 */
public record LabReport(LabRun.Outcome outcome, Origin origin, double loadBefore) {
  private static final double BUSY = 0.5;

  /** Whether anything broke that should have run. */
  public boolean failed() {
    return outcome.results().stream().anyMatch(results -> !results.failed().isEmpty());
  }

  /** For the terminal. */
  public String text() {
    var text = new StringBuilder();
    for (Results results : outcome.results()) {
      Experiment experiment = results.experiment();
      text.append('\n').append(experiment.name()).append(": ").append(experiment.question());
      for (Setting setting : experiment.settings()) {
        text.append("\n\n").append(setting.name()).append('\n');
        text.append(aligned(rows(results, setting)));
      }
      if (!results.verdicts().isEmpty()) {
        text.append('\n').append(aligned(verdictRows(results)));
      }
      Doubts.of(results).forEach(doubt -> text.append("\ndoubt: ").append(doubt));
      results
          .skipped()
          .forEach(
              (name, why) -> text.append("\nnot measured: ").append(name).append(": ").append(why));
      results
          .failed()
          .forEach((name, why) -> text.append("\nFAILED: ").append(name).append(": ").append(why));
      text.append('\n');
    }
    return text.append('\n').append(conditions()).append('\n').toString();
  }

  private static String aligned(List<List<String>> rows) {
    var text = new StringBuilder();
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        int at = column;
        int width = rows.stream().mapToInt(other -> other.get(at).length()).max().orElse(1);
        String form = column == 0 ? "  %-" + width + "s" : "  %" + width + "s";
        text.append(String.format(Locale.ROOT, form, row.get(column)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static List<List<String>> rows(Results results, Setting setting) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("variant"));
    results.experiment().metrics().forEach(metric -> head.add(metric.title()));
    rows.add(head);
    for (Variant variant : results.experiment().variants()) {
      List<String> row = new ArrayList<>(List.of(variant.name()));
      for (Metric metric : results.experiment().metrics()) {
        row.add(results.spread(setting.name(), variant.name(), metric).text());
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<List<String>> verdictRows(Results results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("promise", "setting", "wanted", "reached", "", "measured with", "set by"));
    for (Verdict verdict : results.verdicts()) {
      rows.add(
          List.of(
              verdict.bar().family()
                  + " against "
                  + verdict.bar().peer()
                  + ", "
                  + verdict.bar().metric().title(),
              verdict.setting(),
              Spread.digits(verdict.bar().factor()) + "x",
              verdict.reached().text() + "x",
              verdict.holds() ? "holds" : "MISSED",
              verdict.with(),
              verdict.bar().source()));
    }
    return rows;
  }

  /** How the machine was while it was measured. */
  private String conditions() {
    String load =
        String.format(
            Locale.ROOT,
            "Host - DPU %s, DPU - store %s, each way. Before the run %.1f processes wanted one of %d"
                + " cores",
            outcome.topology().hostToDpu().text(),
            outcome.topology().dpuToStore().text(),
            loadBefore,
            origin.cores());
    return load
        + (loadBefore > BUSY * origin.cores()
            ? ": the machine was BUSY with other work; times are too long, and only ratios within"
                + " this run mean anything."
            : ".");
  }

  /** One self-contained page. */
  public String html() {
    var html = new Html("Penstock lab").origin(origin).paragraph(conditions());
    for (Results results : outcome.results()) {
      Experiment experiment = results.experiment();
      html.heading(experiment.name() + ": " + experiment.question());
      for (Setting setting : experiment.settings()) {
        html.paragraph(setting.name()).table(rows(results, setting));
      }
      plot(html, results);
      if (!results.verdicts().isEmpty()) {
        html.paragraph("What was promised").table(verdictRows(results));
      }
      Doubts.of(results).forEach(doubt -> html.paragraph("Doubt: " + doubt));
      results
          .skipped()
          .forEach((name, why) -> html.paragraph("Not measured: " + name + ": " + why));
      results.failed().forEach((name, why) -> html.failure("Failed: " + name + ": " + why));
    }
    html.heading("Consumers");
    outcome.commands().forEach(html::paragraph);
    return html.data(asMap()).page();
  }

  /** The first metric by setting, one line a variant. */
  private static void plot(Html html, Results results) {
    Experiment experiment = results.experiment();
    Metric metric = experiment.metrics().getFirst();
    var plot =
        new Plot(
            metric.title() + " by setting, as numbered in the order above",
            new Plot.Axis(
                "setting", false, value -> value == Math.rint(value) ? "" + (int) value : ""),
            new Plot.Axis(metric.title(), false, Spread::digits));
    for (Variant variant : experiment.variants()) {
      List<Double> xs = new ArrayList<>();
      List<Double> ys = new ArrayList<>();
      for (int i = 0; i < experiment.settings().size(); i++) {
        String setting = experiment.settings().get(i).name();
        double median = results.spread(setting, variant.name(), metric).median();
        if (Double.isFinite(median)) {
          xs.add(i + 1.0);
          ys.add(median);
        }
      }
      if (!xs.isEmpty()) {
        plot.add(new Plot.Series(variant.name(), doubles(xs), doubles(ys), xs.size() == 1));
      }
    }
    html.plot(plot);
  }

  private static double[] doubles(List<Double> list) {
    return list.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** All rounds, for programs. */
  public Map<String, Object> asMap() {
    List<Object> experiments = new ArrayList<>();
    for (Results results : outcome.results()) {
      List<Object> samples = new ArrayList<>();
      results
          .samples()
          .forEach(
              sample ->
                  samples.add(
                      Json.object(
                          "setting", sample.setting(),
                          "variant", sample.variant(),
                          "round", sample.round(),
                          "figures", sample.figures())));
      List<Object> verdicts = new ArrayList<>();
      results.verdicts().forEach(verdict -> verdicts.add(asMap(verdict)));
      experiments.add(
          Json.object(
              "name", results.experiment().name(),
              "samples", samples,
              "verdicts", verdicts,
              "doubts", Doubts.of(results),
              "skipped", results.skipped(),
              "failed", results.failed()));
    }
    return Json.object(
        "origin", origin.asMap(),
        "host-to-dpu-mbit", outcome.topology().hostToDpu().megabits(),
        "dpu-to-store-mbit", outcome.topology().dpuToStore().megabits(),
        "load-before", loadBefore,
        "experiments", experiments,
        "consumers", outcome.commands());
  }

  private static Map<String, Object> asMap(Verdict verdict) {
    return Json.object(
        "family", verdict.bar().family(),
        "peer", verdict.bar().peer(),
        "setting", verdict.setting(),
        "metric", verdict.bar().metric().name(),
        "wanted", verdict.bar().factor(),
        "reached", verdict.reached().median(),
        "holds", verdict.holds());
  }
}
