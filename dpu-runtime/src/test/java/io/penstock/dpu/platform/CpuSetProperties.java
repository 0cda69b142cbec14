package io.penstock.dpu.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CpuSetProperties {

  @Property
  void whatIsPrintedCanBeRead(
      @ForAll @Size(min = 1, max = 40) Set<@IntRange(max = 8191) Integer> cpus) {
    CpuSet set = new CpuSet(List.copyOf(cpus));
    assertThat(CpuSet.parse(set.toString())).contains(set);
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll String text) {
    CpuSet.parse(text).ifPresent(set -> assertThat(set.size()).isPositive());
  }
}
