package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.UpstreamConfig.RetryConfig;
import java.time.Duration;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BackoffProperties {
  @Property
  void aPauseIsNeverNegativeNorBeyondItsBound(
      @ForAll @IntRange(min = 1, max = 60_000) int initialMillis,
      @ForAll @IntRange(min = 1, max = 300_000) int mostMillis,
      @ForAll @IntRange(min = 1, max = 100) int tries,
      @ForAll long seed) {
    RetryConfig config =
        new RetryConfig(10, Duration.ofMillis(initialMillis), Duration.ofMillis(mostMillis));
    Duration pause = new Backoff(config, new SplittableRandom(seed)).after(tries);
    double bound = Math.min(mostMillis, initialMillis * Math.pow(2, tries - 1));
    assertThat(pause.toNanos()).isBetween(0L, (long) (bound * 1e6));
  }
}
