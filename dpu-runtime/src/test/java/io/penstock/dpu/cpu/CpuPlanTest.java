package io.penstock.dpu.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.platform.CpuSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CpuPlanTest {
  private static final CpuPlan.Wishes DEFAULTS = new CpuPlan.Wishes(Optional.empty(), false);

  @Test
  void oneLoopACoreOnAWholeMachine() {
    CpuPlan plan = CpuPlan.of(CpuSet.first(16), OptionalDouble.empty(), DEFAULTS);
    assertThat(plan.eventLoops()).isEqualTo(16);
    assertThat(plan.codecThreads()).isEqualTo(15);
    assertThat(plan.housekeepingThreads()).isEqualTo(2);
    assertThat(plan.loopCpus()).isEmpty();
    assertThat(plan.reason()).isEqualTo("16 usable processors");
  }

  @Test
  void aQuotaIsRoundedDown() {
    CpuPlan plan = CpuPlan.of(CpuSet.first(16), OptionalDouble.of(2.5), DEFAULTS);
    assertThat(plan.cores()).isEqualTo(2);
    assertThat(plan.eventLoops()).isEqualTo(2);
    assertThat(plan.codecThreads()).isEqualTo(1);
    assertThat(CpuPlan.of(CpuSet.first(4), OptionalDouble.of(0.2), DEFAULTS).eventLoops())
        .isEqualTo(1);
    assertThat(CpuPlan.of(CpuSet.first(4), OptionalDouble.of(2.9999999), DEFAULTS).cores())
        .isEqualTo(3);
  }

  @Test
  void aConfiguredCountIsTakenUpToTheCores() {
    CpuSet cpus = CpuSet.first(8);
    CpuPlan few =
        CpuPlan.of(cpus, OptionalDouble.empty(), new CpuPlan.Wishes(Optional.of(3), false));
    assertThat(few.eventLoops()).isEqualTo(3);
    assertThat(few.codecThreads()).isEqualTo(5);
    CpuPlan many =
        CpuPlan.of(cpus, OptionalDouble.empty(), new CpuPlan.Wishes(Optional.of(99), false));
    assertThat(many.eventLoops()).isEqualTo(8);
    assertThat(many.reason()).contains("99").contains("lowered");
  }

  @Test
  void pinnedLoopsAndOtherThreadsKeepOutOfEachOthersWayWhereTheyCan() {
    CpuSet cpus = new CpuSet(List.of(2, 4, 6, 8));
    CpuPlan plan =
        CpuPlan.of(cpus, OptionalDouble.empty(), new CpuPlan.Wishes(Optional.of(3), true));
    assertThat(plan.loopCpus()).containsExactly(2, 4, 6);
    assertThat(plan.otherCpus().cpus()).containsExactly(8);
    CpuPlan full =
        CpuPlan.of(cpus, OptionalDouble.empty(), new CpuPlan.Wishes(Optional.empty(), true));
    assertThat(full.loopCpus()).containsExactly(2, 4, 6, 8);
    assertThat(full.otherCpus()).isEqualTo(cpus);
  }
}
