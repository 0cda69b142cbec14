package io.penstock.dpu.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class BudgetPlanProperties {

  @Property
  void aDerivedBudgetIsUsableAndWithinTheDirectLimit(
      @ForAll @LongRange(min = 1, max = 1L << 40) long direct,
      @ForAll @LongRange(min = 1, max = 1L << 40) long heap,
      @ForAll @LongRange(max = 1L << 42) long machine) {
    BudgetPlan plan =
        BudgetPlan.derive(new BudgetPlan.Basis(OptionalLong.empty(), direct, heap, machine));
    assertThat(plan.total()).isBetween(1L, direct);
    MemorySplit split = MemorySplit.of(plan.total());
    assertThat(new MemoryBudget(split, MemoryObserver.NONE, () -> 0).limit())
        .isEqualTo(plan.total());
  }
}
