package io.penstock.loadtest.lab.plan;

import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.peers.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * What the lab holds against its own figures.
 *
 * <p>Threading: any.
 */
public final class Doubts {
  /** Rounds that lie further apart than this say little. */
  private static final double WIDE = 2;

  /** Closer to the model than this, the model and not the reading was measured. */
  private static final double MODEL = 1.02;

  /** The time that the stand-in's computing alone takes, as consumers report it. */
  private static final Metric MODELLED = new Metric("model_s", "model s", true);

  private Doubts() {}

  /** In words; empty if there are none. */
  public static List<String> of(Results results) {
    List<String> doubts = new ArrayList<>();
    Metric first = results.experiment().metrics().getFirst();
    for (Setting setting : results.experiment().settings()) {
      boolean allModel = true;
      int measured = 0;
      for (Variant variant : results.experiment().variants()) {
        Spread spread = results.spread(setting.name(), variant.name(), first);
        if (Double.isFinite(spread.median())) {
          measured++;
          double model = results.spread(setting.name(), variant.name(), MODELLED).median();
          allModel &= Double.isFinite(model) && spread.median() < model * MODEL;
          if (spread.max() > spread.min() * WIDE) {
            doubts.add(
                "%s, %s: %s lies between %s and %s from round to round"
                    .formatted(
                        setting.name(),
                        variant.name(),
                        first.title(),
                        Spread.digits(spread.min()),
                        Spread.digits(spread.max())));
          }
        }
      }
      if (measured > 1 && allModel) {
        doubts.add(
            setting.name()
                + ": every variant is as fast as the consumer computes, so their times compare"
                + " nothing; look at the CPU, or compute less");
      }
    }
    return doubts;
  }
}
