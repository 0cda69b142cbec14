package io.penstock.gateway.read.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hit ratios of the admission rule under the patterns that ruin a plain queue. */
class AdmissionSimulation {
  private static final int CAPACITY = 1000;

  /** A cache of items of weight 1. */
  private static final class Cache {
    private static final class Item extends Admission.Resident {
      private final int key;

      Item(int key) {
        super(1, key);
        this.key = key;
      }
    }

    private final Admission<Item> admission = new Admission<>();
    private final Map<Integer, Item> items = new HashMap<>();

    boolean read(int key) {
      Item item = items.get(key);
      if (item != null) {
        item.use();
        return true;
      }
      while (admission.weight() >= CAPACITY) {
        items.remove(admission.evict().orElseThrow().key);
      }
      Item added = new Item(key);
      items.put(key, added);
      admission.admit(added);
      return false;
    }

    double hits(Random random, int reads, int hot) {
      int hits = 0;
      for (int i = 0; i < reads; i++) {
        hits += read(random.nextInt(hot)) ? 1 : 0;
      }
      return (double) hits / reads;
    }
  }

  @Test
  void aScanOfTenTimesTheCacheDoesNotFlushWhatIsHot() {
    Random random = new Random(1);
    Cache cache = new Cache();
    int hot = CAPACITY * 8 / 10;
    cache.hits(random, 20_000, hot);
    assertThat(cache.hits(random, 10_000, hot)).isEqualTo(1.0);
    for (int i = 0; i < 10 * CAPACITY; i++) {
      cache.read(1_000_000 + i);
    }
    assertThat(cache.hits(random, 2_000, hot)).isGreaterThan(0.9);
  }

  @Test
  void whatIsHotSurvivesAScanBetweenItsReads() {
    Random random = new Random(2);
    Cache cache = new Cache();
    int hot = CAPACITY / 2;
    cache.hits(random, 10_000, hot);
    int hits = 0;
    for (int i = 0; i < 20_000; i++) {
      cache.read(1_000_000 + i);
      hits += cache.read(random.nextInt(hot)) ? 1 : 0;
    }
    assertThat(hits / 20_000.0).isGreaterThan(0.9);
  }

  @Test
  void aNewHotSetTakesTheOldOnesPlace() {
    Random random = new Random(3);
    Cache cache = new Cache();
    cache.hits(random, 10_000, CAPACITY / 2);
    int hits = 0;
    for (int i = 0; i < 20_000; i++) {
      hits += cache.read(500_000 + random.nextInt(CAPACITY / 2)) ? 1 : 0;
    }
    assertThat(hits / 20_000.0).isGreaterThan(0.9);
  }
}
