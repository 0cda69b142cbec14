package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class RecentLatenciesProperties {

  @Property(tries = 300)
  void aQuantileIsTheTrueOneOrLittleMore(
      @ForAll @Size(min = 1, max = 300) List<@LongRange(min = 0, max = 1L << 45) Long> times,
      @ForAll @DoubleRange(min = 0.01, max = 1) double q) {
    RecentLatencies latencies = new RecentLatencies();
    times.forEach(latencies::add);
    long exact = times.stream().sorted().toList().get((int) Math.ceil(q * times.size()) - 1);
    assertThat(latencies.quantile(q)).isBetween(exact, exact + exact / 8 + 1);
  }

  @Property(tries = 50)
  void whatWasOnceFades(@ForAll @LongRange(min = 1000, max = 1L << 40) long before) {
    RecentLatencies latencies = new RecentLatencies();
    for (int i = 0; i < RecentLatencies.MEMORY; i++) {
      latencies.add(before);
    }
    for (int i = 0; i < 10 * RecentLatencies.MEMORY; i++) {
      latencies.add(before / 4);
    }
    assertThat(latencies.quantile(0.98)).isLessThan(before / 2);
    assertThat(latencies.size()).isLessThanOrEqualTo(RecentLatencies.MEMORY);
  }
}
