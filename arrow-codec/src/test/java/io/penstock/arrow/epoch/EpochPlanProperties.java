package io.penstock.arrow.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.epoch.EpochSpec.Listed;
import io.penstock.arrow.epoch.EpochSpec.Order;
import io.penstock.arrow.epoch.EpochSpec.Share;
import io.penstock.arrow.epoch.EpochSpec.Shuffled;
import io.penstock.arrow.epoch.EpochSpec.Tail;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class EpochPlanProperties {
  @Property(tries = 300)
  void allRanksTogetherSeeEveryItemOnce(
      @ForAll @IntRange(max = 700) int items,
      @ForAll @IntRange(min = 1, max = 40) int batchSize,
      @ForAll @IntRange(min = 1, max = 9) int world,
      @ForAll long seed) {
    Set<Long> seen = new HashSet<>();
    Set<Long> positions = new HashSet<>();
    for (int rank = 0; rank < world; rank++) {
      EpochPlan plan = plan(items, batchSize, new Share(rank, world), new Shuffled(seed, 1), 0);
      assertThat(plan.items()).isBetween((long) items / world, (items + world - 1L) / world);
      for (long batch = 0; batch < plan.batches(); batch++) {
        for (int slot = 0; slot < plan.size(batch); slot++) {
          assertThat(seen.add(plan.item(batch, slot))).isTrue();
          assertThat(positions.add(plan.position(batch, slot))).isTrue();
        }
      }
    }
    assertThat(seen).hasSize(items).allMatch(item -> item >= 0 && item < items);
    assertThat(positions).hasSize(items).allMatch(place -> place >= 0 && place < items);
  }

  /** An item's place in the epoch is the same for any number of ranks and any batch size. */
  @Property(tries = 100)
  void theOrderOfTheEpochDoesNotDependOnTheWorld(
      @ForAll @IntRange(max = 300) int items,
      @ForAll @IntRange(min = 1, max = 9) int world,
      @ForAll long seed) {
    EpochPlan alone = plan(items, 1, new Share(0, 1), new Shuffled(seed, 0), 0);
    for (int rank = 0; rank < world; rank++) {
      EpochPlan plan = plan(items, 5, new Share(rank, world), new Shuffled(seed, 0), 0);
      for (long batch = 0; batch < plan.batches(); batch++) {
        for (int slot = 0; slot < plan.size(batch); slot++) {
          assertThat(plan.item(batch, slot)).isEqualTo(alone.item(plan.position(batch, slot), 0));
        }
      }
    }
  }

  @Property(tries = 200)
  void resumingGivesExactlyTheRest(
      @ForAll @IntRange(max = 700) int items,
      @ForAll @IntRange(min = 1, max = 40) int batchSize,
      @ForAll @IntRange(max = 30) int resumeAt,
      @ForAll long seed) {
    Share share = new Share(1, 3);
    List<Long> whole = rest(plan(items, batchSize, share, new Shuffled(seed, 4), 0));
    List<Long> rest = rest(plan(items, batchSize, share, new Shuffled(seed, 4), resumeAt));
    int taken = (int) Math.min(whole.size(), (long) resumeAt * batchSize);
    assertThat(rest).isEqualTo(whole.subList(taken, whole.size()));
  }

  @Property(tries = 200)
  void withoutTheTailEveryRankGetsTheSameFullBatches(
      @ForAll @IntRange(max = 700) int items,
      @ForAll @IntRange(min = 1, max = 40) int batchSize,
      @ForAll @IntRange(min = 1, max = 9) int world) {
    for (int rank = 0; rank < world; rank++) {
      EpochSpec spec = new EpochSpec(new Shuffled(1, 1), new Share(rank, world), Tail.DROP, 0);
      EpochPlan plan = new EpochPlan(items, batchSize, spec);
      assertThat(plan.batches()).isEqualTo(items / ((long) batchSize * world));
      for (long batch = 0; batch < plan.batches(); batch++) {
        assertThat(plan.size(batch)).isEqualTo(batchSize);
      }
    }
  }

  @Example
  void aBillionItemsNeedNoMemory() {
    EpochPlan plan = plan(1_000_000_000L, 256, new Share(7, 8), new Shuffled(42, 3), 0);
    assertThat(plan.items()).isEqualTo(125_000_000);
    assertThat(plan.batches()).isEqualTo(488_282);
    assertThat(plan.size(488_281)).isEqualTo(64);
    assertThat(plan.item(488_281, 63)).isBetween(0L, 999_999_999L);
    assertThatThrownBy(() -> plan.item(488_281, 64)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Example
  void unshuffledEpochsKeepTheOrderOfTheList() {
    assertThat(rest(plan(7, 2, new Share(0, 2), new Listed(), 0))).containsExactly(0L, 2L, 4L, 6L);
    assertThat(rest(plan(7, 2, new Share(1, 2), new Listed(), 1))).containsExactly(5L);
  }

  private static List<Long> rest(EpochPlan plan) {
    List<Long> items = new ArrayList<>();
    for (long batch = plan.firstBatch(); batch < plan.batches(); batch++) {
      for (int slot = 0; slot < plan.size(batch); slot++) {
        items.add(plan.item(batch, slot));
      }
    }
    return items;
  }

  private static EpochPlan plan(
      long items, int batchSize, Share share, Order order, long resumeAt) {
    return new EpochPlan(items, batchSize, new EpochSpec(order, share, Tail.KEEP, resumeAt));
  }
}
