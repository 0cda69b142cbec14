package io.penstock.gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenessTest {
  private static final long MS = 1_000_000L;
  private final Lateness lateness = new Lateness(20 * MS);

  @Test
  void theWorstStallIsSeenForAWhileAndThenForgotten() {
    long now = 1;
    now = ticks(now, 10);
    assertThat(lateness.seconds()).isZero();
    now += 20 * MS + 300 * MS;
    lateness.tick(now);
    assertThat(lateness.seconds()).isEqualTo(0.3);
    now = ticks(now, 200);
    assertThat(lateness.seconds()).isEqualTo(0.3);
    ticks(now, 600);
    assertThat(lateness.seconds()).isZero();
  }

  private long ticks(long from, int count) {
    long now = from;
    for (int i = 0; i < count; i++) {
      now += 20 * MS;
      lateness.tick(now);
    }
    return now;
  }
}
