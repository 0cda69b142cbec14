package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResponseSizesTest {
  private final ResponseSizes sizes = new ResponseSizes(1 << 18);

  private void see(int times, long bytes) {
    IntStream.range(0, times).forEach(_ -> sizes.seen(bytes));
  }

  @Test
  void takesAStrangersResponsesForLarge() {
    assertThat(sizes.expected()).isEqualTo(1 << 18);
  }

  @Test
  void aStoreThatSendsSmallObjectsGetsSmallBuffers() {
    see(15, 5_000);
    assertThat(sizes.expected()).isEqualTo(1 << 18);
    see(1, 5_000);
    assertThat(sizes.expected()).isEqualTo(5_512);
    see(16, 300);
    assertThat(sizes.expected()).isEqualTo(4_096);
  }

  @Test
  void oneLargeResponseIsRememberedForAWhile() {
    see(16, 5_000);
    see(1, 1L << 40);
    see(15, 5_000);
    assertThat(sizes.expected()).isEqualTo(1 << 18);
    see(1, 5_000);
    assertThat(sizes.expected()).isEqualTo(5_512);
  }

  @Test
  void theLargestOfTheLastFewCounts() {
    see(16, 5_000);
    see(1, 20_000);
    see(1, 10_000);
    see(14, 5_000);
    assertThat(sizes.expected()).isEqualTo(20_512);
    see(1, 5_000);
    assertThat(sizes.expected()).isEqualTo(10_512);
  }
}
