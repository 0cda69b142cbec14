package io.penstock.dpu.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * Drives a budget and keeps its own simple account of it: who was told to hold how much. It knows
 * nothing of how the budget decides, only what it promises.
 */
final class BudgetModel {
  static final long BODY_LIFELINE = 15;
  static final long TOTAL = 100;
  private static final Map<MemoryArea, MemorySplit.Share> SHARES =
      Map.of(
          MemoryArea.BODIES, new MemorySplit.Share(90, BODY_LIFELINE),
          MemoryArea.CACHE, new MemorySplit.Share(50, 0),
          MemoryArea.BATCHES, new MemorySplit.Share(60, 10),
          MemoryArea.MODELS, new MemorySplit.Share(30, 0));

  enum Kind {
    TRY_RESERVE,
    RESERVE,
    TRY_GROW,
    GROW,
    SHRINK,
    CLOSE,
    CANCEL,
    RUN_ONE,
    RUN_ALL
  }

  /** What to do, in which area, with the how-manieth reservation or ticket, and how many bytes. */
  record Step(Kind kind, MemoryArea area, int index, int bytes) {}

  private record Queued(MemoryClaim claim, Ticket ticket, int arrival) {}

  final MemoryBudget budget =
      new MemoryBudget(new MemorySplit(TOTAL, SHARES), MemoryObserver.NONE, () -> 0);
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final Map<Reservation, Long> held = new IdentityHashMap<>();
  private final List<Reservation> open = new ArrayList<>();
  private final List<Queued> tickets = new ArrayList<>();
  private final Map<MemoryArea, Integer> lastServed = new EnumMap<>(MemoryArea.class);
  private int arrivals;

  void apply(Step step) {
    switch (step.kind()) {
      case TRY_RESERVE -> tryReserve(new MemoryClaim(step.area(), step.bytes(), "try"));
      case RESERVE -> reserve(new MemoryClaim(step.area(), step.bytes(), "wait"));
      case RUN_ONE -> runOne();
      case RUN_ALL -> runAll();
      case CANCEL -> cancel(step.index());
      case TRY_GROW, GROW, SHRINK, CLOSE -> {
        if (!open.isEmpty()) {
          change(step, open.get(step.index() % open.size()));
        }
      }
    }
  }

  private void tryReserve(MemoryClaim claim) {
    long freeInArea = SHARES.get(claim.area()).ceiling() - budget.usage(claim.area()).used();
    long free = TOTAL - budget.used();
    Optional<Reservation> reservation = budget.tryReserve(claim);
    if (reservation.isPresent()) {
      assertThat(claim.bytes()).isLessThanOrEqualTo(Math.min(freeInArea, free));
      received(reservation.get(), claim.bytes());
    }
  }

  private void reserve(MemoryClaim claim) {
    int arrival = arrivals++;
    try {
      Ticket ticket =
          budget.reserve(
              claim,
              loop::add,
              reservation -> {
                Integer before = lastServed.put(claim.area(), arrival);
                assertThat(before == null || before < arrival)
                    .as("first come, first served")
                    .isTrue();
                tickets.removeIf(queued -> queued.arrival() == arrival);
                received(reservation, claim.bytes());
              });
      tickets.add(new Queued(claim, ticket, arrival));
    } catch (BudgetExceededException e) {
      MemorySplit.Share share = SHARES.get(claim.area());
      assertThat(claim.bytes())
          .isGreaterThan(Math.max(share.lifeline(), share.ceiling() - share.lifeline() - 25));
    }
  }

  private void change(Step step, Reservation reservation) {
    long holds = held.get(reservation);
    switch (step.kind()) {
      case TRY_GROW -> {
        if (reservation.tryGrow(step.bytes())) {
          held.merge(reservation, (long) step.bytes(), Long::sum);
        }
      }
      case GROW -> grow(reservation, step.bytes());
      case SHRINK -> {
        long fewer = Math.min(step.bytes(), holds);
        reservation.shrink(fewer);
        held.put(reservation, holds - fewer);
      }
      default -> close(reservation);
    }
  }

  private void grow(Reservation reservation, long bytes) {
    long most = SHARES.get(reservation.area()).lifeline();
    if (most == 0) {
      return;
    }
    long more = 1 + bytes % most;
    try {
      reservation.grow(more, loop::add, () -> held.merge(reservation, more, Long::sum));
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("already waits");
    }
  }

  private void received(Reservation reservation, long bytes) {
    open.add(reservation);
    held.put(reservation, bytes);
  }

  private void close(Reservation reservation) {
    reservation.close();
    reservation.close();
    open.remove(reservation);
    held.remove(reservation);
  }

  private void cancel(int index) {
    if (!tickets.isEmpty()) {
      Queued queued = tickets.remove(index % tickets.size());
      assertThat(queued.ticket().cancel()).isTrue();
      assertThat(queued.ticket().cancel()).isFalse();
    }
  }

  private void runOne() {
    Runnable task = loop.poll();
    if (task != null) {
      task.run();
    }
  }

  private void runAll() {
    while (!loop.isEmpty()) {
      runOne();
    }
  }

  void checkTotals() {
    assertThat(budget.used()).isBetween(0L, TOTAL);
    for (MemoryArea area : MemoryArea.values()) {
      AreaUsage usage = budget.usage(area);
      assertThat(usage.used()).isBetween(0L, SHARES.get(area).ceiling());
      assertThat(usage.peak()).isGreaterThanOrEqualTo(usage.used());
      if (loop.isEmpty()) {
        assertThat(usage.used()).as(area.name()).isEqualTo(heldIn(area));
      }
    }
  }

  private long heldIn(MemoryArea area) {
    return held.entrySet().stream()
        .filter(entry -> entry.getKey().area() == area)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** With nobody waiting anywhere else, the first of an area waits only if it does not fit. */
  void checkNobodyIsForgotten() {
    if (!loop.isEmpty()) {
      return;
    }
    List<MemoryArea> waiting = new ArrayList<>();
    for (MemoryArea area : MemoryArea.values()) {
      if (budget.usage(area).waiting() > 0) {
        waiting.add(area);
      }
    }
    if (waiting.size() == 1 && budget.usage(waiting.getFirst()).waiting() == 1) {
      MemoryArea area = waiting.getFirst();
      long bytes = budget.usage(area).waitingBytes();
      long lifelines = SHARES.values().stream().mapToLong(MemorySplit.Share::lifeline).sum();
      boolean mustFit =
          bytes <= SHARES.get(area).ceiling() - SHARES.get(area).lifeline() - heldIn(area)
              && bytes <= TOTAL - lifelines - budget.used();
      assertThat(mustFit).as("%s of %d bytes waits though it fits", area, bytes).isFalse();
    }
  }

  void closeEverything() {
    List.copyOf(tickets).forEach(queued -> queued.ticket().cancel());
    runAll();
    List.copyOf(open).forEach(this::close);
    runAll();
    List.copyOf(open).forEach(this::close);
  }

  /** The worst case for bodies: nothing else ever gives a byte back. */
  void holdEverythingButBodiesForEver() {
    List.copyOf(tickets).forEach(queued -> queued.ticket().cancel());
    tickets.clear();
    runAll();
    for (MemoryArea area : List.of(MemoryArea.CACHE, MemoryArea.MODELS, MemoryArea.BATCHES)) {
      while (budget.tryReserve(new MemoryClaim(area, 1, "hog")).isPresent()) {
        assertThat(budget.used()).isLessThanOrEqualTo(TOTAL);
      }
    }
  }

  void queueBody(long bytes) {
    reserve(MemoryClaim.body(bytes, "patient"));
  }

  /** Closes bodies as they arrive; returns how many are left waiting. */
  int serveBodiesUntilNothingMoves() {
    for (boolean moved = true; moved; ) {
      runAll();
      List<Reservation> bodies =
          open.stream().filter(reservation -> reservation.area() == MemoryArea.BODIES).toList();
      bodies.forEach(this::close);
      moved = !bodies.isEmpty() || !loop.isEmpty();
    }
    return budget.usage(MemoryArea.BODIES).waiting();
  }
}
