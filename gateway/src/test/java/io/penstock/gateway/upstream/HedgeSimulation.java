package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.UpstreamConfig.HedgeConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What hedging does to the tail of latencies, and to the store, on virtual time. */
class HedgeSimulation {
  private static final int CALLS = 100_000;
  private static final Duration BETWEEN = Duration.ofMillis(2);
  private static final long MILLI = 1_000_000;

  private final VirtualTimeline time = new VirtualTimeline();
  private final SplittableRandom random = new SplittableRandom(7);
  private int tries;

  private record Outcome(List<Long> latencies, double extra) {
    double millis(double q) {
      return latencies.get((int) (q * (latencies.size() - 1))) / (double) MILLI;
    }
  }

  /** An answer takes 15 to 25 ms. */
  private long usual() {
    return random.nextLong(15 * MILLI, 25 * MILLI);
  }

  private Outcome run(boolean hedged, LongSupplier nanos) {
    tries = 0;
    UpstreamChannel store =
        _ -> {
          tries++;
          Promise<UpstreamResponse> answer = Promise.promise();
          time.after(
              Duration.ofNanos(nanos.getAsLong()),
              () -> answer.complete(Requests.answer(200, "x")));
          return answer.future();
        };
    UpstreamChannel channel =
        hedged
            ? new HedgeChannel(
                store, new HedgeConfig(true, 2, Duration.ofMillis(10)), time, UpstreamObserver.NONE)
            : store;
    List<Long> latencies = new ArrayList<>(CALLS);
    for (int i = 0; i < CALLS; i++) {
      Duration begun = time.elapsed();
      Future<UpstreamResponse> answer = channel.send(Requests.get("b", "k"));
      answer.onSuccess(_ -> latencies.add(time.elapsed().minus(begun).toNanos()));
      time.advance(BETWEEN);
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(latencies).hasSize(CALLS);
    latencies.sort(null);
    return new Outcome(latencies, tries / (double) CALLS - 1);
  }

  @Test
  void oneInAHundredStallsForASecond() {
    LongSupplier stalling = () -> random.nextInt(100) == 0 ? 1000 * MILLI + usual() : usual();
    Outcome without = run(false, stalling);
    Outcome with = run(true, stalling);
    assertThat(without.millis(0.999)).isGreaterThan(1000);
    assertThat(with.millis(0.999)).isLessThan(without.millis(0.999) / 5);
    assertThat(with.extra()).isBetween(0.005, 0.02);
  }

  @Test
  void aSteadyStoreGetsHardlyAnyExtraLoad() {
    Outcome with = run(true, this::usual);
    assertThat(with.extra()).isLessThan(0.001);
  }

  @Test
  void aTenthOfTheAnswersComesFromSlowDisks() {
    LongSupplier disks = () -> random.nextInt(10) == 0 ? 10 * usual() : usual();
    Outcome with = run(true, disks);
    assertThat(with.extra()).as("they are usual, not late").isLessThanOrEqualTo(0.02);
  }

  @Test
  void aStoreThatSlowsDownAsAWholeIsNotStruckTwice() {
    Duration slow = time.elapsed().plus(Duration.ofSeconds(100));
    Outcome with = run(true, () -> time.elapsed().compareTo(slow) > 0 ? 50 * usual() : usual());
    assertThat(with.extra()).isLessThanOrEqualTo(0.02);
  }
}
