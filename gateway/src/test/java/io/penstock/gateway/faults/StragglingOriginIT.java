package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One answer in a hundred comes a second late: a second try is answered in its stead. */
@ExtendWith(LeakWatch.class)
class StragglingOriginIT {
  private static final byte[] OBJECT = Lab.bytes(10_000);
  private static final int CALLS = 800;

  private static void callOften(Lab lab) throws Exception {
    try (RawClient client = lab.client()) {
      for (int i = 0; i < CALLS; i++) {
        RawClient.Answer answer = client.send(lab.call("GET", "/b/k").sign().bytes()).read();
        assertThat(answer.body()).isEqualTo(OBJECT);
      }
    }
  }

  @Test
  void lateAnswersAreHedgedWithinTheBudget() throws Exception {
    NarrowOrigin origin = new NarrowOrigin(OBJECT, 1 << 20).stalling(n -> n % 100 == 0);
    try (Lab lab = Lab.configured("hedge: {budget-percent: 2}", "", origin.script())) {
      callOften(lab);
      Probe probe = lab.probe();
      double hedges = probe.metric("penstock_upstream_hedges_total", "GetObject");
      assertThat(hedges).isBetween(1.0, CALLS * 0.02);
      assertThat(probe.metric("penstock_upstream_hedges_won_total", "GetObject")).isPositive();
      assertThat(origin.requests()).isEqualTo(CALLS + (int) hedges);
    }
  }

  @Test
  void offMeansOneTry() throws Exception {
    NarrowOrigin origin = new NarrowOrigin(OBJECT, 1 << 20).stalling(n -> n % 400 == 0);
    try (Lab lab = Lab.configured("hedge: {enabled: false}", "", origin.script())) {
      callOften(lab);
      assertThat(origin.requests()).isEqualTo(CALLS);
    }
  }
}
