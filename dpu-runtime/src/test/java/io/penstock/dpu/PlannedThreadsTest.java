package io.penstock.dpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlannedThreadsTest {

  @Test
  void shortNamesForAllOfVertxsThreads() {
    assertThat(PlannedThreads.shortName("vert.x-eventloop-thread-3")).isEqualTo("event-loop-3");
    assertThat(PlannedThreads.shortName("vert.x-acceptor-thread-0")).isEqualTo("acceptor-0");
    assertThat(PlannedThreads.shortName("vert.x-worker-thread-1")).isEqualTo("worker-1");
    assertThat(PlannedThreads.shortName("vert.x-internal-blocking-2")).isEqualTo("blocking-2");
    assertThat(PlannedThreads.shortName("codec-0")).isEqualTo("codec-0");
  }
}
