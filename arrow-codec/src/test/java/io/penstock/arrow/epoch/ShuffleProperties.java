package io.penstock.arrow.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ShuffleProperties {
  // reckoned by another implementation, in Python, written from the protocol's words
  private static final long[] TEN = {6, 5, 7, 2, 1, 8, 3, 9, 4, 0};
  private static final long[] TEN_OF_THE_NEXT_EPOCH = {7, 6, 4, 5, 9, 2, 1, 0, 3, 8};
  private static final long[] OF_A_BILLION = {
    762353197, 704805419, 623765964, 980581930, 746774645,
    81199301, 184847729, 116830577, 292740535, 480486397
  };

  @Property(tries = 200)
  void isAPermutation(@ForAll @IntRange(max = 5000) int items, @ForAll long seed) {
    Shuffle shuffle = new Shuffle(items, seed, 3);
    BitSet seen = new BitSet(items);
    for (int position = 0; position < items; position++) {
      seen.set(Math.toIntExact(shuffle.itemAt(position)));
    }
    assertThat(seen.cardinality()).isEqualTo(items);
    assertThat(seen.length()).isEqualTo(items);
  }

  @Property(tries = 500)
  void canBeInvertedAtAnySize(
      @ForAll @LongRange(min = 1, max = 1L << 60) long items,
      @ForAll long seed,
      @ForAll @LongRange(min = 0) long where) {
    Shuffle shuffle = new Shuffle(items, seed, 0);
    long position = where % items;
    assertThat(shuffle.positionOf(shuffle.itemAt(position))).isEqualTo(position);
  }

  @Example
  void givesTheValuesOfTheProtocol() {
    assertThat(first(10, 42, 0)).containsExactly(TEN);
    assertThat(first(10, 42, 1)).containsExactly(TEN_OF_THE_NEXT_EPOCH);
    assertThat(first(1_000_000_000L, -7, 5)).containsExactly(OF_A_BILLION);
  }

  private static long[] first(long items, long seed, long epoch) {
    Shuffle shuffle = new Shuffle(items, seed, epoch);
    return LongStream.range(0, Math.min(10, items)).map(shuffle::itemAt).toArray();
  }

  /**
   * Every item is as likely at every place: for each of few items the counts over many seeds stay
   * within five standard deviations of the even share, which a sound shuffle leaves in one of about
   * two million cells.
   */
  @Example
  void favoursNoPlace() {
    int seeds = 20_000;
    for (int items : new int[] {2, 3, 7, 16, 17, 31}) {
      int[][] counts = new int[items][items];
      for (int seed = 0; seed < seeds; seed++) {
        Shuffle shuffle = new Shuffle(items, seed, 0);
        for (int position = 0; position < items; position++) {
          counts[position][(int) shuffle.itemAt(position)]++;
        }
      }
      double share = 1.0 / items;
      double deviation = Math.sqrt(seeds * share * (1 - share));
      for (int[] place : counts) {
        for (int count : place) {
          assertThat((count - seeds * share) / deviation).isBetween(-5.0, 5.0);
        }
      }
    }
  }

  /** Neighbours do not stay neighbours, and epochs of one seed have nothing in common. */
  @Example
  void leavesNoOrder() {
    int items = 100_000;
    Shuffle first = new Shuffle(items, 1, 0);
    Shuffle second = new Shuffle(items, 1, 1);
    int neighbours = 0;
    int same = 0;
    for (int position = 1; position < items; position++) {
      neighbours += first.itemAt(position) - first.itemAt(position - 1) == 1 ? 1 : 0;
      same += first.itemAt(position) == second.itemAt(position) ? 1 : 0;
    }
    // a random order has one of each on average
    assertThat(neighbours).isLessThan(10);
    assertThat(same).isLessThan(10);
  }
}
