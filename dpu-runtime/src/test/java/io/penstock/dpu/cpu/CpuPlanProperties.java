package io.penstock.dpu.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.platform.CpuSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CpuPlanProperties {

  @Property
  void neverNothingAndNeverMoreLoopsThanCores(
      @ForAll @Size(min = 1, max = 64) Set<@IntRange(max = 255) Integer> cpus,
      @ForAll Optional<@DoubleRange(min = 0, max = 300) Double> quota,
      @ForAll Optional<@IntRange(max = 400) Integer> loops,
      @ForAll boolean pin) {
    CpuSet usable = new CpuSet(List.copyOf(cpus));
    OptionalDouble time = quota.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    CpuPlan plan = CpuPlan.of(usable, time, new CpuPlan.Wishes(loops, pin));

    assertThat(plan.cores()).isBetween(1, usable.size());
    assertThat((double) plan.cores()).isLessThanOrEqualTo(Math.max(1, quota.orElse(300.0)) + 1e-6);
    assertThat(plan.eventLoops()).isBetween(1, plan.cores());
    assertThat(plan.codecThreads()).isBetween(1, Math.max(1, plan.cores() - 1));
    assertThat(plan.housekeepingThreads()).isBetween(1, 2);
    assertThat(plan.loopCpus()).hasSize(pin ? plan.eventLoops() : 0).doesNotHaveDuplicates();
    assertThat(usable.cpus()).containsAll(plan.loopCpus()).containsAll(plan.otherCpus().cpus());
    loops
        .filter(wanted -> wanted >= 1 && wanted <= plan.cores())
        .ifPresent(wanted -> assertThat(plan.eventLoops()).isEqualTo(wanted));
  }

  @Property
  void moreCoresNeverMeanFewerThreads(
      @ForAll @IntRange(min = 1, max = 128) int few, @ForAll @IntRange(max = 64) int more) {
    CpuPlan.Wishes wishes = new CpuPlan.Wishes(Optional.empty(), false);
    CpuPlan small = CpuPlan.of(CpuSet.first(few), OptionalDouble.empty(), wishes);
    CpuPlan large = CpuPlan.of(CpuSet.first(few + more), OptionalDouble.empty(), wishes);
    assertThat(large.eventLoops()).isGreaterThanOrEqualTo(small.eventLoops());
    assertThat(large.codecThreads()).isGreaterThanOrEqualTo(small.codecThreads());
    assertThat(large.housekeepingThreads()).isGreaterThanOrEqualTo(small.housekeepingThreads());
  }
}
