package io.penstock.loadtest.peers;

import io.penstock.loadtest.peers.Sample.Metric;
import io.penstock.loadtest.plan.Scenario;
import java.util.List;

/**
 * One row group of the table: a scenario, who runs it, and which figure decides. Ratios are against
 * the first variant whose label is {@code baseline}. {@code halfLoad}: arrivals come open-loop at
 * half of what the slowest variant can do, and latencies are shown as what they add to {@code
 * direct}.
 */
record BenchCase(
    String name,
    String question,
    Scenario scenario,
    List<Variant> variants,
    String baseline,
    Metric decides,
    boolean halfLoad) {

  BenchCase {
    variants = List.copyOf(variants);
  }

  /** This case with some of its variants only. */
  BenchCase only(List<Variant> some) {
    return new BenchCase(name, question, scenario, some, baseline, decides, halfLoad);
  }
}
