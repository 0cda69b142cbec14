package io.penstock.loadtest.lab.plan;

import io.penstock.loadtest.lab.plan.Experiment.Bar;
import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.peers.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * All measurements of one experiment. Tables, verdicts and doubts are functions of them.
 *
 * @param experiment what was asked
 * @param samples what was measured
 * @param skipped which variants cannot run here, and why
 * @param failed which variants broke, and how: their figures prove nothing
 */
public record Results(
    Experiment experiment,
    List<Sample> samples,
    Map<String, String> skipped,
    Map<String, String> failed) {
  public Results {
    samples = List.copyOf(samples);
    skipped = Map.copyOf(skipped);
    failed = Map.copyOf(failed);
  }

  /**
   * One measurement.
   *
   * @param round from 1
   * @param figures metrics by name
   */
  public record Sample(String setting, String variant, int round, Map<String, Double> figures) {
    public Sample {
      figures = Map.copyOf(figures);
    }
  }

  /**
   * A promise and what came of it.
   *
   * @param reached the factor measured: the median over rounds of the ratio within a round
   * @param with which tunings stood for the two families
   */
  public record Verdict(Bar bar, String setting, Spread reached, String with) {
    public boolean holds() {
      return reached.median() >= bar.factor();
    }
  }

  /** The values of one variant over the rounds. */
  public Spread spread(String setting, String variant, Metric metric) {
    return Spread.of(
        of(setting, variant).stream().mapToDouble(sample -> value(sample, metric)).toArray());
  }

  private List<Sample> of(String setting, String variant) {
    return samples.stream()
        .filter(sample -> sample.setting().equals(setting) && sample.variant().equals(variant))
        .toList();
  }

  private static double value(Sample sample, Metric metric) {
    return Objects.requireNonNullElse(sample.figures().get(metric.name()), Double.NaN);
  }

  /** The best tuned variant of a family by that metric; empty: none was measured. */
  public Optional<Variant> best(String setting, String family, Metric metric) {
    Comparator<Variant> order =
        Comparator.comparingDouble(
            variant -> {
              double median = spread(setting, variant.name(), metric).median();
              return metric.lowerIsBetter() ? median : -median;
            });
    return experiment.variants().stream()
        .filter(variant -> variant.family().equals(family))
        .filter(variant -> Double.isFinite(spread(setting, variant.name(), metric).median()))
        .min(order);
  }

  /**
   * Every promise whose two sides were measured. A family is tuned by the experiment's first
   * metric.
   */
  public List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    Metric tuning = experiment.metrics().getFirst();
    for (Bar bar : experiment.bars()) {
      for (Setting setting : experiment.settings()) {
        if (bar.setting().isEmpty() || bar.setting().equals(setting.name())) {
          Optional<Variant> own = best(setting.name(), bar.family(), tuning);
          Optional<Variant> peer = best(setting.name(), bar.peer(), tuning);
          if (own.isPresent() && peer.isPresent()) {
            verdicts.add(verdict(bar, setting.name(), own.get().name(), peer.get().name()));
          }
        }
      }
    }
    return verdicts;
  }

  private Verdict verdict(Bar bar, String setting, String own, String peer) {
    List<Double> factors = new ArrayList<>();
    for (Sample sample : of(setting, own)) {
      of(setting, peer).stream()
          .filter(other -> other.round() == sample.round())
          .mapToDouble(other -> factor(bar.metric(), sample, other))
          .forEach(factors::add);
    }
    double[] all = factors.stream().mapToDouble(Double::doubleValue).toArray();
    return new Verdict(bar, setting, Spread.of(all), own + " / " + peer);
  }

  private static double factor(Metric metric, Sample own, Sample peer) {
    double mine = value(own, metric);
    double theirs = value(peer, metric);
    return metric.lowerIsBetter() ? theirs / mine : mine / theirs;
  }
}
