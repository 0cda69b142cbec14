package io.penstock.dpu.transform.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BatchAdapterProperties {

  @Provide
  Arbitrary<List<Demand>> few() {
    return demands(4, 9, 6);
  }

  @Provide
  Arbitrary<List<Demand>> many() {
    return demands(40, 1 << 20, 5000);
  }

  @Property
  void isTheFairestOfAllDivisions(
      @ForAll("few") List<Demand> demands, @ForAll @IntRange(max = 60) int free) {
    long memory = least(demands) + free;
    List<Integer> shares = BatchAdapter.shares(memory, demands);
    assertThat(sorted(shares)).isEqualTo(fairest(memory, demands, new ArrayList<>()));
  }

  @Property
  void neverMoreThanTheMemoryNorOutsideOfWhatWasAsked(
      @ForAll("many") List<Demand> demands, @ForAll @LongRange(max = 1L << 34) long free) {
    long memory = least(demands) + free;
    List<Integer> shares = BatchAdapter.shares(memory, demands);
    long used = 0;
    for (int i = 0; i < demands.size(); i++) {
      Demand demand = demands.get(i);
      assertThat(shares.get(i)).isBetween(demand.least(), demand.requested());
      used += demand.bytes(shares.get(i));
    }
    assertThat(used).isLessThanOrEqualTo(memory);
    for (int i = 0; i < demands.size(); i++) {
      // max-min: who could have one more from what is left or from one that has two more, has it
      Demand poor = demands.get(i);
      if (shares.get(i) < poor.requested()) {
        assertThat(memory - used).isLessThan(poor.sampleBytes());
        for (int j = 0; j < demands.size(); j++) {
          Demand rich = demands.get(j);
          if (shares.get(j) > shares.get(i) + 1 && shares.get(j) > rich.least()) {
            assertThat(memory - used + rich.sampleBytes()).isLessThan(poor.sampleBytes());
          }
        }
      }
    }
  }

  @Property
  void moreMemoryIsNeverLessFair(
      @ForAll("many") List<Demand> demands,
      @ForAll @LongRange(max = 1L << 34) long free,
      @ForAll @LongRange(max = 1L << 30) long more) {
    long memory = least(demands) + free;
    List<Integer> before = sorted(BatchAdapter.shares(memory, demands));
    List<Integer> after = sorted(BatchAdapter.shares(memory + more, demands));
    assertThat(compare(after, before)).isGreaterThanOrEqualTo(0);
  }

  @Property
  void equalDemandsGetEqualSharesButForOneSample(
      @ForAll @IntRange(min = 1, max = 30) int streams,
      @ForAll @LongRange(max = 100_000) long free) {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      demands.add(new Demand("t" + i, 7, 11, 1, 1000));
    }
    List<Integer> shares = BatchAdapter.shares(least(demands) + free, demands);
    List<Integer> sorted = sorted(shares);
    assertThat(sorted.getLast() - sorted.getFirst()).isBetween(0, 1);
  }

  @Property
  void whatDoesNotFitIsRefused(
      @ForAll("many") List<Demand> demands, @ForAll @LongRange(min = 1, max = 1000) long missing) {
    long memory = least(demands) - missing;
    assertThat(BatchAdapter.fits(memory, demands)).isFalse();
    assertThatThrownBy(() -> BatchAdapter.shares(memory, demands))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static long least(List<Demand> demands) {
    return demands.stream().mapToLong(demand -> demand.bytes(demand.least())).sum();
  }

  private static Arbitrary<List<Demand>> demands(int streams, int sampleBytes, int samples) {
    return Combinators.combine(
            Arbitraries.longs().between(0, sampleBytes),
            Arbitraries.longs().between(1, sampleBytes),
            Arbitraries.integers().between(1, samples),
            Arbitraries.integers().between(0, samples))
        .as((fixed, sample, least, more) -> new Demand("t", fixed, sample, least, least + more))
        .list()
        .ofMinSize(1)
        .ofMaxSize(streams);
  }

  /** The lexicographically greatest sorted division: tries all. */
  private static List<Integer> fairest(long memory, List<Demand> demands, List<Integer> chosen) {
    if (chosen.size() == demands.size()) {
      return sorted(chosen);
    }
    Demand demand = demands.get(chosen.size());
    List<Integer> best = List.of();
    for (int b = demand.least(); b <= demand.requested(); b++) {
      if (demand.bytes(b) <= memory) {
        List<Integer> next = new ArrayList<>(chosen);
        next.add(b);
        List<Integer> found = fairest(memory - demand.bytes(b), demands, next);
        if (!found.isEmpty() && (best.isEmpty() || compare(found, best) > 0)) {
          best = found;
        }
      }
    }
    return best;
  }

  private static List<Integer> sorted(List<Integer> shares) {
    return shares.stream().sorted().toList();
  }

  private static int compare(List<Integer> one, List<Integer> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).equals(other.get(i))) {
        return Integer.compare(one.get(i), other.get(i));
      }
    }
    return 0;
  }
}
