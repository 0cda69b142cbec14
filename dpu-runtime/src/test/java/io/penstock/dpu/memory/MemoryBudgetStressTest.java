package io.penstock.dpu.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBudgetStressTest {
  private static final int LOOPS = 4;
  private static final int CLAIMS_PER_LOOP = 5_000;

  private final MemoryBudget budget = MemoryBudget.of(1 << 20);
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong worst = new AtomicLong();

  @Test
  void manyLoopsNeverHoldMoreThanTheLimitAndLoseNothing() throws Exception {
    CountDownLatch settled = new CountDownLatch(LOOPS * CLAIMS_PER_LOOP);
    List<ExecutorService> loops = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      loops.add(Executors.newSingleThreadExecutor());
    }
    try {
      List<Future<?>> drivers = new ArrayList<>();
      for (ExecutorService loop : loops) {
        drivers.add(loop.submit(() -> claimAlot(loop, settled)));
      }
      for (Future<?> driver : drivers) {
        driver.get();
      }
      settled.await();
    } finally {
      loops.forEach(ExecutorService::close);
    }
    budget.assertAllReleased();
    assertThat(charged).hasValue(0);
    assertThat(worst.get()).isLessThanOrEqualTo(budget.limit());
    assertThat(budget.usage(MemoryArea.BODIES).waited()).as("the test must queue").isPositive();
  }

  private void claimAlot(ExecutorService loop, CountDownLatch settled) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < CLAIMS_PER_LOOP; i++) {
      MemoryArea area = random.nextBoolean() ? MemoryArea.BODIES : MemoryArea.BATCHES;
      MemoryClaim claim = new MemoryClaim(area, random.nextLong(1, 100_000), "claim " + i);
      switch (random.nextInt(3)) {
        case 0 -> {
          Optional<Reservation> reservation = budget.tryReserve(claim);
          reservation.ifPresent(r -> use(r, claim.bytes()));
          settled.countDown();
        }
        case 1 -> waitAndUse(loop, claim, settled);
        default -> {
          Ticket ticket = waitAndUse(loop, claim, settled);
          // From a foreign thread, so that it races with the grant.
          Thread.startVirtualThread(
              () -> {
                if (ticket.cancel()) {
                  settled.countDown();
                }
              });
        }
      }
    }
  }

  private Ticket waitAndUse(ExecutorService loop, MemoryClaim claim, CountDownLatch settled) {
    return budget.reserve(
        claim,
        loop,
        reservation -> {
          use(reservation, claim.bytes());
          settled.countDown();
        });
  }

  private void use(Reservation reservation, long bytes) {
    try (reservation) {
      charge(bytes);
      long half = bytes / 2;
      charged.addAndGet(-half);
      reservation.shrink(half);
      if (half > 0 && reservation.tryGrow(half)) {
        charge(half);
        charged.addAndGet(-half);
      }
      charged.addAndGet(half - bytes);
    }
  }

  private void charge(long bytes) {
    worst.accumulateAndGet(charged.addAndGet(bytes), Math::max);
  }
}
