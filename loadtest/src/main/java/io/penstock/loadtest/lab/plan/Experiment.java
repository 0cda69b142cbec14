package io.penstock.loadtest.lab.plan;

import java.util.List;

/**
 * One question: every variant in every setting, in interleaved rounds.
 *
 * @param name on the command line
 * @param question in the report
 * @param settings rows of comparisons
 * @param variants what is compared
 * @param metrics what is shown, in this order
 * @param bars what is promised
 * @param rounds how often each is measured
 */
public record Experiment(
    String name,
    String question,
    List<Setting> settings,
    List<Variant> variants,
    List<Metric> metrics,
    List<Bar> bars,
    int rounds) {
  public Experiment {
    settings = List.copyOf(settings);
    variants = List.copyOf(variants);
    metrics = List.copyOf(metrics);
    bars = List.copyOf(bars);
  }

  /** How many measurements it takes. */
  public int trials() {
    return settings.size() * variants.size() * rounds;
  }

  /**
   * A figure that consumers report.
   *
   * @param name as consumers write it
   * @param title in tables
   * @param lowerIsBetter which way is good
   */
  public record Metric(String name, String title, boolean lowerIsBetter) {}

  /**
   * A promise about one family beside another in the same setting: {@code factor} or better, where
   * better is how often the peer's figure holds one's own (lower is better) or the other way round.
   *
   * @param setting its name; empty: in every one
   * @param family who must be better
   * @param peer than whom
   * @param metric in what
   * @param factor how much, above 1
   * @param source who set it
   */
  public record Bar(
      String setting, String family, String peer, Metric metric, double factor, String source) {}
}
