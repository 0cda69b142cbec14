package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryShareTest {
  private static final long MIB = 1 << 20;
  private static final int BEST = 256 * 1024;

  private long used;

  @Test
  void leavesBuffersAloneWhileMemoryIsPlenty() {
    MemoryShare share = new MemoryShare(() -> used, 4096 * MIB);
    used = 3000 * MIB;
    for (int i = 0; i < 100; i++) {
      assertThat(share.atMost(BEST)).isEqualTo(BEST);
    }
  }

  @Test
  void neverLetsAThousandHoldersExhaustASmallLimit() {
    long limit = 256 * MIB;
    MemoryShare share = new MemoryShare(() -> used, limit);
    for (int i = 0; i < 1000; i++) {
      used += share.atMost(BEST);
    }
    assertThat(used).isBetween(limit / 2, limit * 2 / 3);
  }

  @Test
  void alwaysLeavesEnoughForProgress() {
    assertThat(MemoryShare.bound(300 * MIB, 256 * MIB)).isEqualTo(16 * 1024);
  }

  @Test
  void growsAgainWhenMemoryIsGivenBack() {
    used = 255 * MIB;
    MemoryShare share = new MemoryShare(() -> used, 512 * MIB);
    assertThat(share.atMost(BEST)).isLessThanOrEqualTo(BEST);
    used = 0;
    int last = 0;
    for (int i = 0; i < 20; i++) {
      last = share.atMost(BEST);
    }
    assertThat(last).isEqualTo(BEST);
  }
}
