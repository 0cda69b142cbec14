package io.penstock.loadtest.peers;

import io.penstock.loadtest.peers.Sample.Metric;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All samples of one case, by variant and round. Medians and ratios are functions of them.
 *
 * <p>Threading: immutable.
 */
record CaseResult(BenchCase bench, Map<String, List<Sample>> samples) {

  /** The values of one variant over the rounds. */
  Spread spread(String variant, Metric metric) {
    return Spread.of(
        samples.getOrDefault(variant, List.of()).stream()
            .mapToDouble(sample -> sample.value(metric))
            .toArray());
  }

  /** The ratios to the baseline, each within one round. */
  Spread ratio(String variant, Metric metric) {
    return paired(variant, metric, true);
  }

  /** What is added to the baseline, each within one round. */
  Spread added(String variant, Metric metric) {
    return paired(variant, metric, false);
  }

  private Spread paired(String variant, Metric metric, boolean ratio) {
    Map<Integer, Double> base = new TreeMap<>();
    samples
        .getOrDefault(bench.baseline(), List.of())
        .forEach(sample -> base.put(sample.round(), sample.value(metric)));
    return Spread.of(
        samples.getOrDefault(variant, List.of()).stream()
            .filter(sample -> base.containsKey(sample.round()))
            .mapToDouble(
                sample -> {
                  double value = sample.value(metric);
                  double of = base.getOrDefault(sample.round(), Double.NaN);
                  return ratio ? value / of : value - of;
                })
            .toArray());
  }

  /** Requests of one variant that failed, over all rounds. */
  long errors(String variant) {
    return samples.getOrDefault(variant, List.of()).stream()
        .mapToLong(
            sample ->
                sample.recording().errors().values().stream().mapToLong(Long::longValue).sum())
        .sum();
  }
}
