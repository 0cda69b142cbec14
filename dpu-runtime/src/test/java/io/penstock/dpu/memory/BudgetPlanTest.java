package io.penstock.dpu.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BudgetPlanTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static BudgetPlan derive(long direct, long heap, long machine) {
    return BudgetPlan.derive(new BudgetPlan.Basis(OptionalLong.empty(), direct, heap, machine));
  }

  private static BudgetPlan configured(long total, long direct, long heap, long machine) {
    return BudgetPlan.derive(new BudgetPlan.Basis(OptionalLong.of(total), direct, heap, machine));
  }

  @Test
  void aRoomyMachineLeavesItToTheDirectLimit() {
    BudgetPlan plan = derive(256 * MIB, 256 * MIB, 16 * GIB);
    assertThat(plan.total()).isEqualTo(192 * MIB);
    assertThat(plan.reason()).isEqualTo("three quarters of the direct memory (256 MiB)");
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void aTightContainerCountsTheHeapFirst() {
    BudgetPlan plan = derive(GIB, 512 * MIB, GIB);
    assertThat(plan.total()).isEqualTo((1024 - 512 - 96) * MIB / 4 * 3);
    assertThat(plan.reason()).contains("what the heap leaves of 1024 MiB");
  }

  @Test
  void anUnknownMachineDoesNotLimit() {
    assertThat(derive(4 * GIB, GIB, 0).total()).isEqualTo(3 * GIB);
  }

  @Test
  void aContainerThatCannotHoldTheHeapStillStartsWithAWarning() {
    BudgetPlan plan = derive(512 * MIB, 512 * MIB, 512 * MIB);
    assertThat(plan.total()).isEqualTo(16 * MIB);
    assertThat(plan.warnings()).singleElement().asString().contains("lower -Xmx");
    assertThat(derive(8 * MIB, 64 * MIB, GIB).total())
        .as("never above the direct limit")
        .isEqualTo(8 * MIB);
  }

  @Test
  void aConfiguredBudgetIsTaken() {
    BudgetPlan plan = configured(100 * MIB, 256 * MIB, 256 * MIB, 4 * GIB);
    assertThat(plan).isEqualTo(new BudgetPlan(100 * MIB, "runtime.memory-budget", plan.warnings()));
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void aConfiguredBudgetAboveTheDirectLimitStopsTheStart() {
    assertThatThrownBy(() -> configured(600 * MIB, 256 * MIB, 256 * MIB, 4 * GIB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("runtime.memory-budget is 600 MiB")
        .hasMessageContaining("-XX:MaxDirectMemorySize=800m");
    assertThatThrownBy(() -> configured(0, 256 * MIB, 256 * MIB, 4 * GIB))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aConfiguredBudgetThatLeavesNoRoomIsTakenWithAWarning() {
    assertThat(configured(250 * MIB, 256 * MIB, 256 * MIB, 4 * GIB).warnings())
        .singleElement()
        .asString()
        .contains("leaves less than a quarter");
    assertThat(configured(600 * MIB, GIB, 512 * MIB, GIB).warnings())
        .singleElement()
        .asString()
        .contains("more than 1024 MiB");
  }
}
