package io.penstock.dpu.memory;

import static io.penstock.dpu.memory.MemoryArea.BATCHES;
import static io.penstock.dpu.memory.MemoryArea.BODIES;
import static io.penstock.dpu.memory.MemoryArea.CACHE;
import static io.penstock.dpu.memory.MemoryArea.MODELS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  /** 100 bytes: 20 of lifeline for bodies, 10 for batches, 70 for whoever comes first. */
  private final MemorySplit split =
      new MemorySplit(
          100,
          Map.of(
              BODIES, new MemorySplit.Share(90, 20),
              CACHE, new MemorySplit.Share(40, 0),
              BATCHES, new MemorySplit.Share(60, 10),
              MODELS, new MemorySplit.Share(30, 0)));

  private final AtomicLong clock = new AtomicLong();
  private final List<String> events = new ArrayList<>();
  private final MemoryBudget budget =
      new MemoryBudget(
          split,
          new MemoryObserver() {
            @Override
            public void refused(MemoryClaim claim) {
              events.add("refused " + claim.owner());
            }

            @Override
            public void granted(MemoryClaim claim, long nanos) {
              events.add("granted " + claim.owner() + " after " + nanos);
            }
          },
          clock::get);
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final Executor executor = loop::add;
  private final List<Reservation> delivered = new ArrayList<>();

  @AfterEach
  void everythingComesBack() {
    delivered.forEach(Reservation::close);
    runLoop();
    delivered.forEach(Reservation::close);
    budget.assertAllReleased();
    assertThat(budget.used()).isZero();
  }

  private void runLoop() {
    for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
      task.run();
    }
  }

  private Reservation take(MemoryArea area, long bytes) {
    Reservation reservation =
        budget.tryReserve(new MemoryClaim(area, bytes, area + "-" + bytes)).orElseThrow();
    delivered.add(reservation);
    return reservation;
  }

  private Optional<Reservation> attempt(MemoryArea area, long bytes) {
    Optional<Reservation> reservation =
        budget.tryReserve(new MemoryClaim(area, bytes, area + "-" + bytes));
    reservation.ifPresent(delivered::add);
    return reservation;
  }

  private Ticket queue(MemoryArea area, long bytes) {
    return budget.reserve(
        new MemoryClaim(area, bytes, area + "-" + bytes), executor, delivered::add);
  }

  private List<String> owners() {
    return delivered.stream().map(Reservation::owner).toList();
  }

  @Test
  void areasShareTheTotalUpToTheirCeilings() {
    take(CACHE, 40);
    assertThat(attempt(CACHE, 1)).as("above the ceiling").isEmpty();
    take(MODELS, 30);
    assertThat(attempt(MODELS, 1)).as("the lifelines of others are not for models").isEmpty();
    assertThat(budget.used()).isEqualTo(70);
    assertThat(budget.usage(CACHE)).isEqualTo(new AreaUsage(40, 40, 40, 0, 0, 1, 0, 1));
  }

  @Test
  void underAnExhaustedBudgetOneRequestOfEachAreaStillGetsItsLifeline() {
    take(CACHE, 40);
    take(MODELS, 30);
    Reservation body = take(BODIES, 15);
    assertThat(body.tryGrow(5)).as("the holder may use all of it").isTrue();
    assertThat(attempt(BODIES, 1)).as("but only one at a time").isEmpty();
    take(BATCHES, 10);
    assertThat(budget.used()).isEqualTo(budget.limit());

    body.close();
    assertThat(attempt(BODIES, 20)).isPresent();
  }

  @Test
  void theCacheGivesWayOnlyWhereItsBytesWouldHelp() {
    List<Long> wanted = new ArrayList<>();
    Reservation cache = take(CACHE, 40);
    budget.reclaimFrom(
        bytes -> {
          wanted.add(bytes);
          cache.shrink(bytes);
        });
    take(MODELS, 30);
    assertThat(attempt(MODELS, 1)).as("above its own ceiling").isEmpty();
    Ticket ownCeiling = queue(MODELS, 1);
    assertThat(wanted).as("bytes of the cache would not help").isEmpty();
    assertThat(cache.bytes()).isEqualTo(40);
    ownCeiling.cancel();

    assertThat(attempt(BATCHES, 15)).as("fits its area, not the total").isPresent();
    assertThat(wanted).containsExactly(15L);
    queue(BATCHES, 20);
    runLoop();
    assertThat(owners()).endsWith("BATCHES-20");
    assertThat(wanted).containsExactly(15L, 20L);
  }

  @Test
  void aClaimBehindOthersOfItsAreaTakesNothingFromTheCache() {
    List<Long> wanted = new ArrayList<>();
    take(CACHE, 40);
    take(MODELS, 30);
    budget.reclaimFrom(wanted::add);
    queue(BATCHES, 40);
    assertThat(wanted).as("the first is short of the total").containsExactly(40L);
    queue(BATCHES, 5);
    assertThat(attempt(BATCHES, 5)).isEmpty();
    assertThat(wanted).as("nobody overtakes the first, with or without room").hasSize(1);
    assertThat(attempt(BATCHES, 61)).as("more than the area may ever have").isEmpty();
    assertThat(wanted).hasSize(1);
  }

  @Test
  void aClaimAsksTheCacheOnceItNoLongerWaitsForItsOwnCeiling() {
    List<Long> wanted = new ArrayList<>();
    Reservation cache = take(CACHE, 40);
    Reservation model = take(MODELS, 30);
    budget.reclaimFrom(wanted::add);
    queue(BODIES, 25);
    queue(MODELS, 10);
    assertThat(wanted).as("models wait for models").containsExactly(25L);
    budget.reclaimFrom(
        bytes -> {
          wanted.add(bytes);
          cache.shrink(25);
        });
    model.shrink(10);
    runLoop();
    assertThat(wanted).containsExactly(25L, 10L);
    assertThat(owners()).endsWith("BODIES-25", "MODELS-10");
  }

  @Test
  void waitersAreServedInOrderOfArrivalAndNobodyOvertakes() {
    Reservation cache = take(CACHE, 40);
    Reservation model = take(MODELS, 30);
    take(BODIES, 20);
    queue(BODIES, 50);
    queue(BODIES, 5);
    runLoop();
    assertThat(owners()).doesNotContain("BODIES-50", "BODIES-5");

    cache.close();
    runLoop();
    assertThat(owners()).as("5 fit, but 50 came first").doesNotContain("BODIES-5");
    assertThat(attempt(CACHE, 1)).as("50 wait for the common total").isEmpty();

    model.close();
    runLoop();
    assertThat(owners()).endsWith("BODIES-50", "BODIES-5");
  }

  @Test
  void aClaimThatOnlyWaitsForItsOwnCeilingHoldsUpNoOtherArea() {
    Reservation cache = take(CACHE, 40);
    queue(CACHE, 10);
    assertThat(attempt(BODIES, 25)).as("more than the lifeline").isPresent();
    assertThat(attempt(CACHE, 1)).as("behind the one that waits").isEmpty();
    assertThat(budget.usage(CACHE).waiting()).isEqualTo(1);
    assertThat(budget.usage(CACHE).waitingBytes()).isEqualTo(10);
    cache.close();
    runLoop();
    assertThat(owners()).endsWith("CACHE-10");
  }

  @Test
  void theHeadOfTheQueueGetsTheLifelineThoughABiggerClaimOfAnotherAreaWaitsForTheTotal() {
    take(CACHE, 40);
    Reservation model = take(MODELS, 30);
    queue(BATCHES, 50);
    queue(BODIES, 20);
    queue(BODIES, 20);
    runLoop();
    assertThat(owners()).endsWith("BODIES-20");
    assertThat(delivered).filteredOn(r -> r.area() == BODIES).hasSize(1);
    model.close();
    runLoop();
    assertThat(owners()).as("30 free bytes are saved up for the 50").doesNotContain("BATCHES-50");
    assertThat(delivered).filteredOn(r -> r.area() == BODIES).hasSize(1);
  }

  @Test
  void growingGoesAheadOfNewClaims() {
    Reservation cache = take(CACHE, 40);
    Reservation small = take(BODIES, 30);
    take(BODIES, 20);
    queue(BODIES, 40);
    List<String> grown = new ArrayList<>();
    small.grow(20, executor, () -> grown.add("grown"));
    runLoop();
    assertThat(grown).isEmpty();
    cache.shrink(20);
    runLoop();
    assertThat(grown).containsExactly("grown");
    assertThat(small.bytes()).isEqualTo(50);
  }

  @Test
  void twoReservationsThatBothWantToGrowDoNotLockEachOtherOut() {
    take(CACHE, 40);
    Reservation first = take(BODIES, 15);
    Reservation second = take(BODIES, 15);
    List<String> grown = new ArrayList<>();
    first.grow(15, executor, () -> grown.add("first"));
    second.grow(15, executor, () -> grown.add("second"));
    runLoop();
    assertThat(grown).as("the lifeline").containsExactly("first");
    first.shrink(15);
    runLoop();
    assertThat(grown).containsExactly("first", "second");
  }

  @Test
  void aCancelledWaiterIsSkippedAndLetsTheNextIn() {
    Reservation cache = take(CACHE, 40);
    Ticket big = queue(CACHE, 40);
    queue(CACHE, 10);
    cache.shrink(10);
    runLoop();
    assertThat(owners()).doesNotContain("CACHE-10");
    assertThat(big.cancel()).isTrue();
    runLoop();
    assertThat(owners()).endsWith("CACHE-10");
    assertThat(big.cancel()).as("gone already").isFalse();
  }

  @Test
  void cancellingBetweenGrantAndDeliveryGivesTheBytesBack() {
    Ticket ticket = queue(CACHE, 40);
    assertThat(budget.used()).isEqualTo(40);
    assertThat(ticket.cancel()).isTrue();
    runLoop();
    assertThat(delivered).isEmpty();
    assertThat(budget.used()).isZero();
  }

  @Test
  void cancellingAGrantedGrowthKeepsTheReservation() {
    Reservation body = take(BODIES, 10);
    Ticket growth = body.grow(10, executor, () -> events.add("grown"));
    assertThat(body.bytes()).isEqualTo(20);
    assertThat(growth.cancel()).isTrue();
    runLoop();
    assertThat(events).doesNotContain("grown");
    assertThat(body.bytes()).isEqualTo(10);
  }

  @Test
  void cancellingAfterDeliveryChangesNothing() {
    Ticket ticket = queue(CACHE, 40);
    runLoop();
    assertThat(ticket.cancel()).isFalse();
    assertThat(delivered.getFirst().bytes()).isEqualTo(40);
  }

  @Test
  void closingGivesBackOnceAndEndsAWaitToGrow() {
    take(CACHE, 40);
    take(MODELS, 30);
    take(BODIES, 20);
    Reservation batch = take(BATCHES, 5);
    batch.grow(10, executor, () -> events.add("grown"));
    assertThat(budget.usage(BATCHES).waiting()).isEqualTo(1);
    batch.close();
    batch.close();
    runLoop();
    assertThat(events).doesNotContain("grown");
    assertThat(budget.usage(BATCHES).used()).isZero();
    assertThat(budget.usage(BATCHES).waiting()).isZero();
    assertThat(batch.bytes()).isZero();
  }

  @Test
  void aClosedReservationCanDoNothingMore() {
    Reservation body = take(BODIES, 10);
    body.close();
    assertThatThrownBy(() -> body.tryGrow(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("BODIES-10");
    assertThatThrownBy(() -> body.shrink(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> body.grow(1, executor, () -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClaimThatCouldNeverBeGrantedFailsAtOnce() {
    assertThatThrownBy(() -> queue(CACHE, 41))
        .isInstanceOf(BudgetExceededException.class)
        .hasMessageContaining("CACHE-41 asks for 41 bytes")
        .hasMessageContaining("runtime.memory-budget");
    assertThatThrownBy(() -> queue(BODIES, 71))
        .as("90 less the own lifeline of 20")
        .isInstanceOf(BudgetExceededException.class);
    Reservation batch = take(BATCHES, 1);
    assertThatThrownBy(() -> batch.grow(11, executor, () -> {}))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(attempt(CACHE, 41)).isEmpty();
  }

  @Test
  void givingBackMoreThanIsHeldIsAMistake() {
    Reservation body = take(BODIES, 10);
    assertThatThrownBy(() -> body.shrink(11)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> body.shrink(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(body.bytes()).isEqualTo(10);
  }

  @Test
  void anEventLoopThatIsShutDownLosesItsPlaceButNoBytes() {
    Reservation cache = take(CACHE, 40);
    budget.reserve(
        new MemoryClaim(CACHE, 40, "on a dead loop"),
        task -> {
          throw new RejectedExecutionException("shut down");
        },
        delivered::add);
    queue(CACHE, 30);
    cache.close();
    runLoop();
    assertThat(owners()).endsWith("CACHE-30");
    assertThat(budget.usage(CACHE).used()).isEqualTo(30);
  }

  @Test
  void aLeakIsNamed() {
    Reservation leak = take(BODIES, 10);
    assertThatThrownBy(budget::assertAllReleased)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("1 reservations open, 0 waiting: BODIES 10 bytes by BODIES-10");
    leak.close();
  }

  @Test
  void theObserverLearnsHowLongAClaimWaited() {
    Reservation cache = take(CACHE, 40);
    queue(CACHE, 10);
    assertThat(attempt(CACHE, 5)).isEmpty();
    clock.set(700);
    cache.close();
    runLoop();
    assertThat(events)
        .containsExactly(
            "granted CACHE-40 after 0", "refused CACHE-5", "granted CACHE-10 after 700");
    assertThat(budget.usage(CACHE).waited()).isEqualTo(1);
    assertThat(budget.usage(CACHE).refused()).isEqualTo(1);
    assertThat(budget.usage(CACHE).peak()).isEqualTo(40);
  }

  @Test
  void theUsualSplitLeavesBodiesAFifthAndKeepsLifelinesSmall() {
    MemorySplit usual = MemorySplit.of(1000L << 20);
    long others =
        usual.share(CACHE).ceiling()
            + usual.share(BATCHES).ceiling()
            + usual.share(MODELS).ceiling();
    assertThat(usual.total() - others).isGreaterThanOrEqualTo(usual.total() / 5);
    assertThat(usual.share(BODIES).lifeline()).isEqualTo(4 << 20);
    assertThat(usual.share(BATCHES).lifeline()).isEqualTo(32 << 20);
    assertThat(MemorySplit.of(64).share(BODIES).lifeline()).isEqualTo(8);
  }

  @Test
  void aSplitThatPromisesMoreThanItHasIsRefused() {
    assertThatThrownBy(() -> new MemorySplit.Share(10, 11))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemorySplit(100, Map.of(BODIES, new MemorySplit.Share(90, 20))))
        .isInstanceOf(IllegalArgumentException.class);
    MemorySplit.Share half = new MemorySplit.Share(60, 60);
    assertThatThrownBy(
            () ->
                new MemorySplit(
                    100, Map.of(BODIES, half, CACHE, half, BATCHES, half, MODELS, half)))
        .hasMessageContaining("lifelines");
  }
}
