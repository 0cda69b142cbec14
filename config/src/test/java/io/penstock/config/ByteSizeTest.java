package io.penstock.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteSizeTest {
  @Test
  void readsUnitsOfBothKinds() {
    assertThat(ByteSize.parse("0")).contains(new ByteSize(0));
    assertThat(ByteSize.parse("64KiB")).contains(new ByteSize(65_536));
    assertThat(ByteSize.parse("64kB")).contains(new ByteSize(64_000));
    assertThat(ByteSize.parse("1MB")).contains(new ByteSize(1_000_000));
    assertThat(ByteSize.parse("5GiB")).contains(new ByteSize(5L << 30));
    assertThat(ByteSize.parse("2 TiB")).contains(new ByteSize(2L << 40));
    assertThat(ByteSize.parse("12B")).contains(new ByteSize(12));
    assertThat(ByteSize.parse("9223372036854775807")).contains(new ByteSize(Long.MAX_VALUE));
  }

  @Test
  void refusesTheRest() {
    for (String text :
        new String[] {
          "",
          " ",
          "K",
          "-1",
          "+1",
          "1.5MiB",
          "1M",
          "1Mi",
          "1 M iB",
          "0x10",
          "9223372036854775808",
          "9007199254740993KiB",
          "8388608TiB",
          "1PiB"
        }) {
      assertThat(ByteSize.parse(text)).as(text).isEmpty();
    }
  }
}
