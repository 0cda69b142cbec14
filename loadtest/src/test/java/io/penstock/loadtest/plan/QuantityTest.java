package io.penstock.loadtest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuantityTest {
  @Test
  void readsWhatPeopleWrite() {
    assertThat(Quantity.bytes("4096")).isEqualTo(4096);
    assertThat(Quantity.bytes("100KiB")).isEqualTo(102_400);
    assertThat(Quantity.bytes("1.5 MiB")).isEqualTo(3 << 19);
    assertThat(Quantity.bytes("5GB")).isEqualTo(5_000_000_000L);
    assertThat(Quantity.duration("250ms")).isEqualTo(Duration.ofMillis(250));
    assertThat(Quantity.duration("2m")).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void refusesTheRestAndSaysWhatToWrite() {
    assertThatThrownBy(() -> Quantity.bytes("10Kib")).hasMessageContaining("100KiB");
    assertThatThrownBy(() -> Quantity.duration("5")).hasMessageContaining("250ms");
    assertThatThrownBy(() -> Quantity.bytes("-1")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void writesTheLargestUnit() {
    assertThat(Quantity.text(102_400)).isEqualTo("100 KiB");
    assertThat(Quantity.text(1_500_000)).isEqualTo("1.4 MiB");
  }
}
