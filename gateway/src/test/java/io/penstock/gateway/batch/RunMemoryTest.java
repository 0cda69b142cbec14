package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunMemoryTest {
  private final MemoryBudget budget = MemoryBudget.of(64 << 20);
  private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
  private final long ceiling = budget.usage(MemoryArea.BATCHES).limit();

  private RunMemory open() {
    return RunMemory.open(budget, loop::add, "test").orElseThrow();
  }

  private void turn() {
    while (!loop.isEmpty()) {
      loop.remove().run();
    }
  }

  @Test
  void earlierItemsComeFirstWheneverTheyAsked() {
    RunMemory memory = open();
    long filled = 0;
    while (memory.tryClaim(1 << 20)) {
      filled += 1 << 20;
    }
    // more than the lifeline, so that all of them have to wait
    long bytes = budget.lifeline(MemoryArea.BATCHES) + (1 << 20);
    List<Integer> granted = new ArrayList<>();
    for (int item : new int[] {7, 5, 6}) {
      memory.claim(
          item,
          bytes,
          () -> {
            granted.add(item);
            memory.giveBack(bytes);
          });
    }
    turn();
    assertThat(granted).isEmpty();
    assertThat(memory.isWaiting()).isTrue();
    memory.giveBack(filled);
    turn();
    assertThat(granted).containsExactly(5, 6, 7);
    memory.close();
    budget.assertAllReleased();
  }

  @Test
  void aClosedRunGivesBackWhatItsClaimsHadAndWaitsForTheRest() {
    RunMemory memory = open();
    assertThat(memory.tryClaim(1000)).isTrue();
    memory.claim(
        1,
        ceiling,
        () -> {
          throw new AssertionError("granted after the end");
        });
    turn();
    memory.close();
    turn();
    assertThat(memory.tryClaim(1)).isFalse();
    assertThat(budget.used()).isPositive();
    memory.giveBack(1000);
    budget.assertAllReleased();
  }
}
