package io.penstock.gateway.read.fetch;

import static io.penstock.gateway.read.fetch.FanOutLab.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.upstream.VirtualTimeline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How fast one object of 1 GiB is read from stores of different kinds, on virtual time. */
class FanOutSimulation {
  private static final long GIB = 1024 * MIB;
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final double NARROW = 50e6;

  private final VirtualTimeline time = new VirtualTimeline();

  private SimulatedOrigin origin(double bytesPerSecond) {
    return new SimulatedOrigin(time, GIB, LATENCY, bytesPerSecond).blank();
  }

  private FanOutLab lab(SimulatedOrigin origin, long budget) {
    return new FanOutLab(origin, time, MemoryBudget.of(budget)).counting();
  }

  private static void assertWhole(FanOutLab lab) {
    assertThat(lab.failure).isNull();
    assertThat(lab.ended).isTrue();
    assertThat(lab.taken).isEqualTo(GIB);
    assertThat(lab.budget.used()).isZero();
    assertThat(lab.room.connections()).isZero();
    assertThat(lab.origin.busy()).isZero();
  }

  @Test
  void aNarrowConnectionIsMultiplied() {
    FanOutLab lab = lab(origin(NARROW), GIB).begin().run();
    assertWhole(lab);
    assertThat(lab.megabytesPerSecond() * 1e6 / NARROW).isGreaterThan(8);
    assertThat(lab.origin.most()).isLessThanOrEqualTo(17);
    assertThat(lab.mostReserved).isLessThan(GIB / 4);
  }

  @Test
  void aLinkThatOneConnectionFillsIsLeftToIt() {
    FanOutLab lab = lab(origin(1e12).sharing(500e6), GIB).begin().run();
    assertWhole(lab);
    assertThat(lab.megabytesPerSecond()).isGreaterThan(0.95 * 500);
    assertThat(lab.origin.most()).isEqualTo(2);
    assertThat(lab.origin.sent() - GIB).as("bytes read in vain").isLessThan(GIB / 20);
  }

  @Test
  void aLinkOfAFewConnectionsGetsAFew() {
    FanOutLab lab = lab(origin(NARROW).sharing(5 * NARROW), GIB).begin().run();
    assertWhole(lab);
    assertThat(lab.megabytesPerSecond() * 1e6 / NARROW).isGreaterThan(4);
  }

  @Test
  void aFastConnectionIsNoLimit() {
    FanOutLab lab = lab(origin(2e9), GIB).begin().run();
    assertWhole(lab);
    assertThat(lab.origin.requests()).isEqualTo(1);
  }

  @Test
  void aSlowClientNeedsOneConnection() {
    FanOutLab lab = lab(origin(NARROW), GIB).client(20e6).begin().run();
    assertWhole(lab);
    assertThat(lab.origin.requests()).isEqualTo(1);
  }

  @Test
  void aClientOfMiddlingSpeedNeedsAFew() {
    FanOutLab lab = lab(origin(NARROW), GIB).client(180e6).begin().run();
    assertWhole(lab);
    assertThat(lab.megabytesPerSecond()).isGreaterThan(150);
    assertThat(lab.mostReserved).isLessThan(GIB / 4);
  }

  @Test
  void littleMemoryMeansFewParts() {
    FanOutLab lab = lab(origin(NARROW), 48 * MIB).begin().run();
    assertWhole(lab);
    assertThat(lab.mostReserved).isLessThanOrEqualTo(24 * MIB);
    assertThat(lab.megabytesPerSecond() * 1e6 / NARROW).isGreaterThan(2);
  }

  @Test
  void noMemoryMeansOneConnection() {
    FanOutLab lab = lab(origin(NARROW), MIB).begin().run();
    assertWhole(lab);
    assertThat(lab.origin.requests()).isEqualTo(1);
  }

  @Test
  void oneSlowConnectionDoesNotHoldUpTheRest() {
    FanOutLab lab =
        lab(origin(NARROW).rates(n -> n % 40 == 20 ? NARROW / 20 : NARROW), GIB).begin().run();
    assertWhole(lab);
    assertThat(lab.megabytesPerSecond() * 1e6 / NARROW).isGreaterThan(6);
  }

  @Test
  void aStoreThatRefusesHalfOfThePartsIsReadAllTheSame() {
    FanOutLab lab =
        lab(origin(NARROW).interfering(n -> n > 6 && n % 2 == 0 ? 503 : 0), GIB).begin().run();
    assertWhole(lab);
    assertThat(lab.megabytesPerSecond() * 1e6 / NARROW).isGreaterThan(0.9);
  }
}
