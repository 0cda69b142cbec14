package io.penstock.gateway.read.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.read.plan.FanOutLimits;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.VirtualTimeline;
import java.time.Duration;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * Whatever the store, the client and the memory do, a read gives the bytes of one version in order
 * or fails, and leaves nothing behind. Every byte is compared as it arrives.
 */
class FanOutProperties {
  private static final FanOutLimits SMALL = new FanOutLimits(6, 20_000, 5_000, 50_000);

  private final VirtualTimeline time = new VirtualTimeline();

  private FanOutLab lab(SplittableRandom random, long size, SimulatedOrigin.Interference faults) {
    SimulatedOrigin origin =
        new SimulatedOrigin(time, size, Duration.ofMillis(random.nextInt(1, 30)), 200_000)
            .pieces(random.nextInt(1, 4_000))
            .rates(n -> 50_000 + 100_000 * ((n * 7) % 5))
            .interfering(faults);
    if (random.nextBoolean()) {
      origin.sharing(random.nextInt(100_000, 2_000_000));
    }
    long budget = random.nextInt(4) == 0 ? 16_000 : 1 << 20;
    FanOutLab lab =
        new FanOutLab(origin, time, MemoryBudget.of(budget), SMALL, UpstreamObserver.NONE);
    if (random.nextBoolean()) {
      lab.client(random.nextInt(50_000, 1_000_000));
    }
    return lab;
  }

  private static void assertNothingLeft(FanOutLab lab) {
    assertThat(lab.isOver()).isTrue();
    assertThat(lab.budget.used()).as("memory").isZero();
    assertThat(lab.room.connections()).as("connections").isZero();
    assertThat(lab.origin.busy()).as("open responses").isZero();
    assertThat(lab.mostReserved).isLessThanOrEqualTo(lab.budget.limit() / 2);
  }

  @Property(tries = 150)
  void everyByteInOrder(
      @ForAll long seed, @ForAll @LongRange(min = 20_000, max = 400_000) long size) {
    FanOutLab lab = lab(new SplittableRandom(seed), size, _ -> 0).begin().run();
    assertThat(lab.failure).isNull();
    assertThat(lab.taken).isEqualTo(size);
    assertNothingLeft(lab);
  }

  @Property(tries = 150)
  void brokenPartsGoOn(@ForAll long seed, @ForAll @IntRange(min = 6, max = 12) int every) {
    FanOutLab lab =
        lab(new SplittableRandom(seed), 300_000, n -> n % every == 0 ? -2 : 0).begin().run();
    assertThat(lab.failure).isNull();
    assertThat(lab.taken).isEqualTo(300_000);
    assertNothingLeft(lab);
  }

  @Property(tries = 150)
  void refusalsDelayOrFailButNeverGarble(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 6) int every) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] answers = {-1, -2, 200, 500, 503};
    FanOutLab lab =
        lab(random, 300_000, n -> n > 1 && n % every == 0 ? answers[n % answers.length] : 0)
            .begin()
            .run();
    if (lab.failure == null) {
      assertThat(lab.taken).isEqualTo(300_000);
    } else {
      assertThat(lab.failure).isInstanceOf(UpstreamFailure.class);
    }
    assertNothingLeft(lab);
  }

  @Property(tries = 150)
  void cancelledAtAnyTimeNothingStays(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 3_000) int millis) {
    FanOutLab lab = lab(new SplittableRandom(seed), 400_000, n -> n % 5 == 0 ? -2 : 0).begin();
    lab.run(Duration.ofMillis(millis));
    if (!lab.isOver()) {
      lab.cancel();
    }
    time.advance(Duration.ofSeconds(10));
    assertNothingLeft(lab);
    assertThat(time.pending()).as("timers").isZero();
  }

  @Property(tries = 100)
  void aClientThatLeavesEndsEverything(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 3_000) int millis) {
    FanOutLab lab = lab(new SplittableRandom(seed), 400_000, _ -> 0).begin();
    lab.run(Duration.ofMillis(millis));
    boolean over = lab.isOver();
    lab.cancellation.cancel();
    time.advance(Duration.ofSeconds(10));
    if (!over && !lab.isOver()) {
      lab.cancel();
    }
    assertNothingLeft(lab);
  }

  @Property(tries = 150)
  void twoVersionsAreNeverMixed(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 2_000) int millis) {
    SplittableRandom random = new SplittableRandom(seed);
    FanOutLab lab = lab(random, 300_000, n -> n % 4 == 0 ? -2 : 0).begin();
    lab.run(Duration.ofMillis(millis));
    lab.origin.overwrite();
    lab.run();
    // the lab compares each byte with the first version
    if (lab.failure == null) {
      assertThat(lab.taken).isEqualTo(300_000);
    } else {
      assertThat(lab.failure).isInstanceOf(UpstreamFailure.Broken.class);
    }
    assertNothingLeft(lab);
  }

  @Property(tries = 50)
  void nothingIsAskedForWhilePaused(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 1_500) int millis) {
    FanOutLab lab = lab(new SplittableRandom(seed), 400_000, _ -> 0).begin();
    lab.run(Duration.ofMillis(millis));
    if (lab.isOver()) {
      return;
    }
    lab.pause();
    int asked = lab.origin.requests();
    time.advance(Duration.ofSeconds(5));
    assertThat(lab.origin.requests()).isEqualTo(asked);
    lab.resume();
    lab.run();
    assertThat(lab.failure).isNull();
    assertThat(lab.taken).isEqualTo(400_000);
    assertNothingLeft(lab);
  }
}
