package io.penstock.dpu.transform.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SplitWatchProperties {
  private static final Split HERE = new Split.After("here");
  private static final Split THERE = new Split.After("there");

  @Property
  void noiseBelowTheGainNeverChangesAnything(
      @ForAll @Size(max = 200) List<@DoubleRange(min = 0.91, max = 1.09) Double> times) {
    SplitWatch watch = SplitWatch.of(HERE, SplitWatch.Patience.DEFAULT);
    for (double time : times) {
      watch = watch.look(decision(1.0, time));
      assertThat(watch.split()).isEqualTo(HERE);
    }
  }

  @Property
  void aLastingChangeIsFollowedOnceAndInTime(
      @ForAll @DoubleRange(min = 0.05, max = 0.89) double better,
      @ForAll @IntRange(min = 1, max = 10) int looks,
      @ForAll @IntRange(max = 20) int rest) {
    SplitWatch watch = SplitWatch.of(HERE, new SplitWatch.Patience(0.1, looks, rest));
    int changed = -1;
    for (int i = 1; i <= 60; i++) {
      Split before = watch.split();
      watch = watch.look(decision(1.0, better));
      if (!watch.split().equals(before)) {
        assertThat(changed).isEqualTo(-1);
        changed = i;
      }
    }
    assertThat(changed).isEqualTo(Math.max(looks, rest + 1));
  }

  @Property
  void betweenTwoChangesThereIsRest(
      @ForAll @Size(min = 50, max = 200) List<@DoubleRange(min = 0.1, max = 10) Double> times,
      @ForAll @IntRange(min = 1, max = 4) int looks,
      @ForAll @IntRange(max = 20) int rest) {
    SplitWatch watch = SplitWatch.of(HERE, new SplitWatch.Patience(0.1, looks, rest));
    int last = 0;
    for (int i = 0; i < times.size(); i++) {
      Split before = watch.split();
      watch = watch.look(decision(1.0, times.get(i)));
      if (!watch.split().equals(before)) {
        assertThat(i + 1 - last).isGreaterThan(rest).isGreaterThanOrEqualTo(looks);
        last = i + 1;
      }
    }
  }

  @Property
  void whatNoLongerFitsIsLeftAtOnce(@ForAll @IntRange(max = 100) int rest) {
    SplitWatch watch = SplitWatch.of(HERE, new SplitWatch.Patience(0.1, 5, rest));
    Estimate there = estimate(THERE, 1);
    var only = new SplitDecision.Chosen(there, SplitDecision.Why.FASTEST, List.of(), List.of());
    assertThat(watch.look(only).split()).isEqualTo(THERE);
  }

  private static SplitDecision.Chosen decision(double here, double there) {
    Estimate one = estimate(HERE, here);
    Estimate other = estimate(THERE, there);
    return there < here
        ? new SplitDecision.Chosen(other, SplitDecision.Why.FASTEST, List.of(one), List.of())
        : new SplitDecision.Chosen(one, SplitDecision.Why.FASTEST, List.of(other), List.of());
  }

  private static Estimate estimate(Split split, double seconds) {
    return new Estimate(
        new Candidate(split, 1, new Candidate.Near(0, 0, 0), new Candidate.Far(0, 0)),
        seconds,
        Estimate.Bound.LINK);
  }
}
