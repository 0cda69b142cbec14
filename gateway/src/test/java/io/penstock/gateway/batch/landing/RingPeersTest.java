package io.penstock.gateway.batch.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.BatchConfig.RingConfig.Peers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tenant on another machine must not write into the memory of this one. */
class RingPeersTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.8.9.10, true",
    "::1, true",
    "0:0:0:0:0:0:0:1, true",
    "::ffff:127.0.0.1, true",
    "10.0.0.1, false",
    "127.evil.example.com, false",
    "1.127.0.0.1, false",
    "::2, false",
    "-, false"
  })
  void onlyLoopbackIsLocal(String peer, boolean local) {
    assertThat(RingLandings.allowed(peer, Peers.LOCAL)).isEqualTo(local);
    assertThat(RingLandings.allowed(peer, Peers.ANY)).isTrue();
    assertThat(RingLandings.allowed(peer, Peers.NONE)).isFalse();
  }
}
