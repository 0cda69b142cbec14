package io.penstock.dpu.transform.split;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses where a network is split: of the candidates that fit into memory, the one whose epoch is
 * predicted to be the shortest ({@link Estimate}).
 *
 * <p>Three rules come first. Layers are applied only if that is faster than sending objects or
 * pixels by {@link #GAIN}: figures are measured and err, and the cores are wanted by others. A
 * split that sends more bytes than the object has is taken only if it is faster than every one that
 * does not by {@link #WORTH}: HAPI sent 3 times the picture's bytes for VGG19 and lost. Among those
 * as fast as the fastest within {@link #TIE}, below the error of any estimate, the one that sends
 * the fewest bytes is taken, then the one that computes least.
 *
 * <p>Threading: stateless.
 */
public final class SplitPlanner {
  /** The part of an epoch by which estimates may differ and count as equal. */
  static final double TIE = 0.01;

  /** The part of an epoch that sending more than the object must save. */
  static final double WORTH = 0.02;

  /** The part of an epoch that applying layers must save. */
  static final double GAIN = 0.04;

  private static final Comparator<Estimate> FASTEST =
      Comparator.comparingDouble(Estimate::seconds)
          .thenComparingLong(estimate -> estimate.candidate().bytes())
          .thenComparingDouble(estimate -> estimate.candidate().near().seconds());

  private static final Comparator<Estimate> LEAST =
      Comparator.<Estimate>comparingLong(estimate -> estimate.candidate().bytes())
          .thenComparingDouble(estimate -> estimate.candidate().near().seconds())
          .thenComparingDouble(Estimate::seconds);

  private SplitPlanner() {}

  /**
   * Decides.
   *
   * @param candidates at least one; each split once
   */
  public static SplitDecision plan(List<Candidate> candidates, Surroundings around) {
    List<Estimate> fit = new ArrayList<>();
    List<Candidate> unfit = new ArrayList<>();
    for (Candidate candidate : candidates) {
      if (candidate.memory(around.work().leastStep()) <= around.memory()) {
        fit.add(Estimate.of(candidate, around));
      } else {
        unfit.add(candidate);
      }
    }
    if (fit.isEmpty()) {
      return new SplitDecision.NoneFits(around.memory(), unfit);
    }
    fit.sort(FASTEST);
    Estimate fastest = fit.getFirst();
    List<Estimate> plain =
        fit.stream().filter(estimate -> !(estimate.split() instanceof Split.After)).toList();
    boolean gains = plain.isEmpty() || isFaster(fastest, plain, GAIN);
    List<Estimate> pool = gains ? fit : plain;
    List<Estimate> lean =
        pool.stream()
            .filter(estimate -> estimate.candidate().bytes() <= around.work().objectBytes())
            .toList();
    Estimate first = pool.getFirst();
    boolean worth = lean.isEmpty() || isFaster(first, lean, WORTH);
    Estimate chosen = least(worth ? pool : lean);
    SplitDecision.Why why;
    if (chosen.equals(fastest)) {
      why = SplitDecision.Why.FASTEST;
    } else if (!worth && !first.equals(lean.getFirst())) {
      why = SplitDecision.Why.NOT_WORTH_MORE_BYTES;
    } else if (!gains && !first.equals(fastest)) {
      why = SplitDecision.Why.NOT_WORTH_COMPUTING;
    } else {
      why = SplitDecision.Why.FEWER_BYTES;
    }
    fit.remove(chosen);
    return new SplitDecision.Chosen(chosen, why, fit, unfit);
  }

  private static boolean isFaster(Estimate one, List<Estimate> sorted, double part) {
    return one.seconds() < sorted.getFirst().seconds() * (1 - part);
  }

  private static Estimate least(List<Estimate> sorted) {
    double limit = sorted.getFirst().seconds() * (1 + TIE);
    return sorted.stream().filter(estimate -> estimate.seconds() <= limit).min(LEAST).orElseThrow();
  }
}
