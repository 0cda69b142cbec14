package io.penstock.dpu.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CpuSetTest {

  @Test
  void readsTheKernelsLists() {
    assertThat(CpuSet.parse("0-3,8,10-11\n")).contains(new CpuSet(List.of(0, 1, 2, 3, 8, 10, 11)));
    assertThat(CpuSet.parse("5")).contains(new CpuSet(List.of(5)));
  }

  @Test
  void refusesEverythingElse() {
    for (String list : List.of("", "a", "3-1", "-1", "0,,1", "0-999999999", "1-2-3", "0x1")) {
      assertThat(CpuSet.parse(list)).as(list).isEmpty();
    }
    assertThatThrownBy(() -> new CpuSet(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anIntersectionIsNeverEmpty() {
    CpuSet wide = CpuSet.first(4);
    assertThat(wide.within(new CpuSet(List.of(2, 9)))).isEqualTo(new CpuSet(List.of(2)));
    assertThat(wide.within(new CpuSet(List.of(9)))).isEqualTo(wide);
  }
}
