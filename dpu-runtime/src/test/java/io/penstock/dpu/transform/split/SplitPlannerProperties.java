package io.penstock.dpu.transform.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;

class SplitPlannerProperties {

  @Provide
  Arbitrary<List<Candidate>> candidates() {
    return SplitArbitraries.candidates();
  }

  @Provide
  Arbitrary<Surroundings> surroundings() {
    return SplitArbitraries.surroundings();
  }

  @Property
  void isTheBestOfAllThatFitButForTheRules(
      @ForAll("candidates") List<Candidate> candidates,
      @ForAll("surroundings") Surroundings around) {
    List<Candidate> fit = candidates.stream().filter(c -> fits(c, around)).toList();
    switch (SplitPlanner.plan(candidates, around)) {
      case SplitDecision.NoneFits none -> {
        assertThat(fit).isEmpty();
        assertThat(none.unfit()).hasSameSizeAs(candidates);
      }
      case SplitDecision.Chosen chosen -> {
        double best = fit.stream().mapToDouble(c -> epoch(c, around)).min().orElseThrow();
        double mine = epoch(chosen.estimate().candidate(), around);
        assertThat(chosen.estimate().seconds()).isCloseTo(mine, within(mine * 1e-9));
        assertThat(fit).contains(chosen.estimate().candidate());
        double rules = (1 + SplitPlanner.TIE) / (1 - SplitPlanner.WORTH) / (1 - SplitPlanner.GAIN);
        assertThat(mine).isLessThanOrEqualTo(best * rules * (1 + 1e-9));
        if (chosen.why() == SplitDecision.Why.FASTEST) {
          assertThat(mine).isLessThanOrEqualTo(best * (1 + 1e-9));
        }
        assertThat(chosen.others()).hasSize(fit.size() - 1);
        assertThat(chosen.unfit()).hasSize(candidates.size() - fit.size());
      }
    }
  }

  @Property
  void moreBytesThanTheObjectOnlyIfFasterThanAllThatSendNoMore(
      @ForAll("candidates") List<Candidate> candidates,
      @ForAll("surroundings") Surroundings around) {
    if (SplitPlanner.plan(candidates, around) instanceof SplitDecision.Chosen chosen
        && chosen.estimate().candidate().bytes() > around.work().objectBytes()) {
      assertThat(chosen.others())
          .filteredOn(other -> other.candidate().bytes() <= around.work().objectBytes())
          .allSatisfy(other -> assertThat(chosen.estimate().seconds()).isLessThan(other.seconds()));
    }
  }

  @Property
  void layersAreAppliedOnlyIfThatIsFasterThanNotTo(
      @ForAll("candidates") List<Candidate> candidates,
      @ForAll("surroundings") Surroundings around,
      @ForAll @DoubleRange(min = 0, max = 1) double trainSeconds) {
    Candidate raw =
        new Candidate(
            new Split.Raw(),
            around.work().objectBytes(),
            new Candidate.Near(0, 0, 0),
            new Candidate.Far(trainSeconds, 0));
    List<Candidate> all = new ArrayList<>(candidates);
    all.add(raw);
    if (SplitPlanner.plan(all, around) instanceof SplitDecision.Chosen chosen) {
      double none = epoch(raw, around);
      assertThat(chosen.estimate().seconds()).isLessThanOrEqualTo(none * (1 + 1e-9));
      if (chosen.split() instanceof Split.After) {
        assertThat(chosen.estimate().seconds()).isLessThan(none * 0.971);
      }
    }
  }

  @Property
  void moreOfAnythingNeverMakesAnEpochLonger(
      @ForAll("candidates") List<Candidate> candidates,
      @ForAll("surroundings") Surroundings around,
      @ForAll @DoubleRange(min = 1, max = 100) double more) {
    Surroundings richer =
        new Surroundings(
            new Surroundings.Links(around.links().store() * more, around.links().client() * more),
            around.threads() * more,
            (long) (around.memory() * more),
            around.work());
    for (Candidate candidate : candidates) {
      assertThat(Estimate.of(candidate, richer).seconds())
          .isLessThanOrEqualTo(Estimate.of(candidate, around).seconds() * (1 + 1e-9));
    }
    if (SplitPlanner.plan(candidates, around) instanceof SplitDecision.Chosen before) {
      assertThat(SplitPlanner.plan(candidates, richer))
          .isInstanceOfSatisfying(
              SplitDecision.Chosen.class,
              after ->
                  assertThat(after.estimate().seconds())
                      .isLessThanOrEqualTo(before.estimate().seconds() * 1.08));
    }
  }

  @Property
  void theOrderOfCandidatesDoesNotMatter(
      @ForAll("candidates") List<Candidate> candidates,
      @ForAll("surroundings") Surroundings around) {
    if (SplitPlanner.plan(candidates, around) instanceof SplitDecision.Chosen one
        && SplitPlanner.plan(candidates.reversed(), around) instanceof SplitDecision.Chosen other) {
      assertThat(one.estimate().candidate().bytes())
          .isEqualTo(other.estimate().candidate().bytes());
      assertThat(one.estimate().seconds()).isEqualTo(other.estimate().seconds());
    }
  }

  /** HAPI's formula once more, with the pipelined stream of this gateway. */
  private static double epoch(Candidate c, Surroundings around) {
    Surroundings.Work work = around.work();
    double b = Math.min(work.batch(), work.samples());
    double[] stages = {
      b * work.objectBytes() / around.links().store(),
      b * c.near().seconds() / around.threads(),
      b * c.bytes() / around.links().client()
    };
    double train = b * c.far().seconds();
    double serial = b * c.far().serialSeconds();
    double slowest = Math.max(train, Math.max(stages[0], Math.max(stages[1], stages[2])));
    double batches = work.samples() / b;
    double first = Math.max(stages[0], stages[1]) + stages[2];
    return first + serial + train + (batches - 1) * (slowest + serial);
  }

  private static boolean fits(Candidate c, Surroundings around) {
    return BigInteger.valueOf(c.near().sampleBytes())
            .multiply(BigInteger.valueOf(around.work().leastStep()))
            .add(BigInteger.valueOf(c.near().fixedBytes()))
            .compareTo(BigInteger.valueOf(around.memory()))
        <= 0;
  }
}
