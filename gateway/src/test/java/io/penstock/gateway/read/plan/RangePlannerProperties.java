package io.penstock.gateway.read.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class RangePlannerProperties {
  private static final long MIB = 1 << 20;
  private static final FanOutLimits LIMITS = new FanOutLimits(16, 64 * MIB, 4 * MIB, 32 * MIB);
  private static final long LATENCY = 20_000_000;

  private final RangePlanner planner = new RangePlanner(LIMITS);

  @Provide
  Arbitrary<Round> rounds() {
    return Combinators.combine(
            Arbitraries.doubles().between(0, 3e9),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.integers().between(0, 32),
            Arbitraries.of(true, false),
            Arbitraries.longs().between(0, 1024 * MIB))
        .as(
            (rate, paused, complete, shortOf, position) ->
                new Round(rate, paused, complete, shortOf, position, 1024 * MIB));
  }

  /** A store whose connections bring so much each, over a link of so much. */
  private static double store(int width, double each, double link) {
    return Math.min(width * each, link);
  }

  private Growth settle(double each, double link) {
    Growth growth = planner.begin();
    long position = 0;
    for (int i = 0; i < 60; i++) {
      position += MIB;
      Round round = new Round(store(growth.width(), each, link), 0, 0, false, position, 1L << 40);
      growth = planner.after(growth, round, LATENCY);
    }
    return growth;
  }

  @Property
  void theWidthStaysWithinItsLimits(
      @ForAll @Size(max = 40) List<@net.jqwik.api.From("rounds") Round> rounds) {
    Growth growth = planner.begin();
    for (Round round : rounds) {
      growth = planner.after(growth, round, LATENCY);
      assertThat(growth.width()).isBetween(1, LIMITS.connections());
    }
  }

  @Property
  void aPartIsWorthItsLatencyAndWithinBounds(
      @ForAll @DoubleRange(min = 0, max = 1e10) double rate,
      @ForAll @LongRange(min = 0, max = 2_000_000_000) long latency) {
    long part = planner.partBytes(rate, latency);
    assertThat(part).isBetween(LIMITS.minPart(), LIMITS.maxPart());
    double wanted = rate * latency / 1e9 * RangePlanner.LATENCIES_A_PART;
    assertThat((double) part).isGreaterThanOrEqualTo(Math.min(wanted, LIMITS.maxPart()));
  }

  @Property
  void takesAllThatNarrowConnectionsCanBring(
      @ForAll @DoubleRange(min = 1e6, max = 2e8) double each) {
    assertThat(settle(each, 1e12).width()).isEqualTo(LIMITS.connections());
  }

  @Property
  void leavesAFullLinkToOneConnection(@ForAll @DoubleRange(min = 1e6, max = 5e9) double link) {
    Growth growth = settle(link, link);
    assertThat(growth).matches(it -> it instanceof Growth.One || it instanceof Growth.Trial);
  }

  @Property
  void findsAboutAsManyAsFillTheLink(
      @ForAll @DoubleRange(min = 1e6, max = 2e8) double each,
      @ForAll @IntRange(min = 3, max = 16) int fill) {
    int width = settle(each, each * fill).width();
    assertThat(store(width, each, each * fill)).isGreaterThan(0.5 * each * fill);
    assertThat(width).isLessThanOrEqualTo(4 * fill);
  }

  @Property
  void aClientThatIsBehindIsNoReasonForMore(
      @ForAll @DoubleRange(min = 0.2, max = 1) double paused,
      @ForAll @DoubleRange(min = 1e6, max = 2e8) double rate) {
    Growth growth = planner.begin();
    for (int i = 0; i < 50; i++) {
      growth = planner.after(growth, new Round(rate, paused, 0, false, i * MIB, 1L << 40), LATENCY);
      assertThat(growth.width()).isEqualTo(1);
    }
  }

  @Property
  void refusalsLeadBackToOneConnection(@ForAll @DoubleRange(min = 1e6, max = 2e8) double each) {
    Growth growth = settle(each, 1e12);
    for (int i = 0; i < 5; i++) {
      Growth next = planner.refused(growth, 1000);
      assertThat(next.width()).isLessThanOrEqualTo(Math.max(1, growth.width() / 2));
      growth = next;
    }
    assertThat(growth.width()).isEqualTo(1);
  }
}
