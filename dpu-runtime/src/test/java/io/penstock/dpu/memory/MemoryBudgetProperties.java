package io.penstock.dpu.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MemoryBudgetProperties {

  @Property(tries = 2000)
  void everyHistoryKeepsThePromises(@ForAll("histories") List<BudgetModel.Step> history) {
    BudgetModel model = new BudgetModel();
    for (BudgetModel.Step step : history) {
      model.apply(step);
      model.checkTotals();
      model.checkNobodyIsForgotten();
    }
    model.closeEverything();
    model.budget.assertAllReleased();
    assertThat(model.budget.used()).isZero();
  }

  @Property(tries = 500)
  void whoeverNeedsNoMoreThanTheLifelineIsServedInTheEnd(
      @ForAll("histories") List<BudgetModel.Step> history) {
    BudgetModel model = new BudgetModel();
    history.forEach(model::apply);
    model.holdEverythingButBodiesForEver();
    for (int i = 0; i < 20; i++) {
      model.queueBody(BudgetModel.BODY_LIFELINE);
    }
    assertThat(model.serveBodiesUntilNothingMoves()).as("bodies still waiting").isZero();
  }

  @Provide
  Arbitrary<List<BudgetModel.Step>> histories() {
    Arbitrary<BudgetModel.Step> step =
        Combinators.combine(
                Arbitraries.of(BudgetModel.Kind.values()),
                Arbitraries.of(MemoryArea.values()),
                Arbitraries.integers().between(0, 50),
                Arbitraries.integers().between(1, 60))
            .as(BudgetModel.Step::new);
    return step.list().ofMaxSize(80);
  }
}
