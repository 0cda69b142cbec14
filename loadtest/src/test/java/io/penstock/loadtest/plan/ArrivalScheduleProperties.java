package io.penstock.loadtest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.loadtest.plan.ArrivalSchedule.Constant;
import io.penstock.loadtest.plan.ArrivalSchedule.Poisson;
import io.penstock.loadtest.plan.ArrivalSchedule.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class ArrivalScheduleProperties {
  @Property
  void offsetsNeverDecreaseAndStartNearZero(@ForAll("schedules") ArrivalSchedule schedule) {
    long[] offsets = first(schedule.offsets(), 500);
    assertThat(offsets).isSorted();
    assertThat(offsets[0]).isNotNegative();
  }

  @Property
  void theSameScheduleAlwaysGivesTheSameOffsets(@ForAll("schedules") ArrivalSchedule schedule) {
    assertThat(first(schedule.offsets(), 200)).isEqualTo(first(schedule.offsets(), 200));
  }

  @Property
  void thePartsTogetherAreTheWhole(
      @ForAll("schedules") ArrivalSchedule schedule,
      @ForAll @IntRange(min = 1, max = 7) int parts) {
    LongStream together =
        IntStream.range(0, parts)
            .mapToObj(part -> first(schedule.offsets(part, parts), 40))
            .flatMapToLong(Arrays::stream);
    assertThat(together.sorted().toArray()).isEqualTo(first(schedule.offsets(), 40 * parts));
  }

  @Property
  void constantArrivalsDoNotDrift(@ForAll @IntRange(min = 1, max = 1_000_000) int perSecond) {
    PrimitiveIterator.OfLong offsets = new Constant(perSecond).offsets();
    long last = first(offsets, perSecond + 1)[perSecond];
    assertThat(last).isCloseTo(1_000_000_000L, within(1000L));
  }

  @Property(tries = 20)
  void poissonArrivalsHaveTheMeanAndTheSpreadOfAnExponential(
      @ForAll @IntRange(min = 10, max = 100_000) int perSecond, @ForAll long seed) {
    long[] offsets = first(new Poisson(perSecond, seed).offsets(), 20_001);
    double[] gaps = new double[20_000];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = (offsets[i + 1] - offsets[i]) * (double) perSecond / 1e9;
    }
    double mean = Arrays.stream(gaps).average().orElseThrow();
    double variance =
        Arrays.stream(gaps).map(gap -> (gap - mean) * (gap - mean)).average().orElseThrow();
    assertThat(mean).isCloseTo(1, within(0.05));
    assertThat(variance).isCloseTo(1, within(0.15));
  }

  @Property
  void eachStageHoldsAsManyArrivalsAsItsRateSays(@ForAll("steps") Step step) {
    PrimitiveIterator.OfLong offsets = step.offsets();
    long next = offsets.nextLong();
    long end = 0;
    for (Step.Stage stage : step.stages()) {
      long start = end;
      end += stage.length().toNanos();
      long count = 0;
      while (next < end) {
        assertThat(next).isGreaterThanOrEqualTo(start);
        assertThat(step.rateAt(next)).isEqualTo(stage.perSecond());
        count++;
        next = offsets.nextLong();
      }
      double expected = stage.perSecond() * stage.length().toNanos() / 1e9;
      assertThat((double) count).isCloseTo(expected, within(1.01));
    }
  }

  private static long[] first(PrimitiveIterator.OfLong offsets, int count) {
    return LongStream.generate(offsets::nextLong).limit(count).toArray();
  }

  @Provide
  Arbitrary<ArrivalSchedule> schedules() {
    Arbitrary<Double> rates = Arbitraries.doubles().between(0.5, 1_000_000);
    return Arbitraries.oneOf(
        rates.map(Constant::new),
        Combinators.combine(rates, Arbitraries.longs()).as(Poisson::new),
        steps());
  }

  @Provide
  Arbitrary<Step> steps() {
    Arbitrary<Step.Stage> stage =
        Combinators.combine(
                Arbitraries.integers().between(1, 2000), Arbitraries.integers().between(1, 2000))
            .as((rate, millis) -> new Step.Stage(rate, Duration.ofMillis(millis)));
    return stage.list().ofMinSize(1).ofMaxSize(4).map(stages -> new Step(new ArrayList<>(stages)));
  }

  @Property
  void everyKeyCanBeDrawnAndNoOther(
      @ForAll @IntRange(min = 1, max = 50) int count,
      @ForAll @IntRange(min = 0, max = 2) int exponent,
      @ForAll long seed) {
    var choice = new KeyChoice(count, exponent);
    var random = new java.util.SplittableRandom(seed);
    List<Integer> drawn =
        IntStream.range(0, 20_000)
            .map(i -> choice.next(random))
            .distinct()
            .sorted()
            .boxed()
            .toList();
    if (exponent < 2) {
      assertThat(drawn).isEqualTo(IntStream.range(0, count).boxed().toList());
    }
    assertThat(drawn).allMatch(key -> key >= 0 && key < count);
  }
}
