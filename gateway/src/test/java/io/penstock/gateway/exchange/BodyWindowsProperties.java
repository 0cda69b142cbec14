package io.penstock.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class BodyWindowsProperties {

  @Property
  void aWindowShrinksWithTheNumberOfRequestsAndStaysInBounds(
      @ForAll @IntRange(min = 16, max = 4096) int budgetMib,
      @ForAll @IntRange(min = 1, max = 5000) int requests) {
    long budget = (long) budgetMib << 20;
    int size = BodyWindows.size(budget, requests);
    assertThat(size).isBetween(BodyWindows.SMALLEST, BodyWindows.LARGEST);
    assertThat(size).isLessThanOrEqualTo(BodyWindows.size(budget, Math.max(1, requests - 1)));
  }

  @Property(tries = 50)
  void arrivalsUpToTheSmallestWindowsAreNeverRefused(
      @ForAll @IntRange(min = 32, max = 512) int budgetMib) {
    MemoryBudget budget = MemoryBudget.of((long) budgetMib << 20);
    BodyWindows windows = new BodyWindows(budget);
    int requests = (int) Math.min(4000, ((long) budgetMib << 20) / (8L * BodyWindows.SMALLEST));
    List<BodyWindows.Window> open = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      open.add(windows.open().orElseThrow());
    }
    assertThat(budget.used()).isLessThanOrEqualTo(budget.limit());
    open.forEach(BodyWindows.Window::close);
    budget.assertAllReleased();
  }

  @Property(tries = 100)
  void whatIsOpenedAndClosedInAnyOrderLeavesNothingBehind(
      @ForAll @Size(min = 1, max = 200) List<Boolean> opensAndCloses) {
    MemoryBudget budget = MemoryBudget.of(16L << 20);
    BodyWindows windows = new BodyWindows(budget);
    List<BodyWindows.Window> open = new ArrayList<>();
    for (boolean opening : opensAndCloses) {
      if (opening || open.isEmpty()) {
        windows.open().ifPresent(open::add);
      } else {
        open.removeLast().close();
      }
      assertThat(budget.used()).isLessThanOrEqualTo(budget.limit());
    }
    open.forEach(BodyWindows.Window::close);
    budget.assertAllReleased();
  }
}
