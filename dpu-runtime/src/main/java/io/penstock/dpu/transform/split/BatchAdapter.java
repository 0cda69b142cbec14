package io.penstock.dpu.transform.split;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How many samples each stream may compute at once. The result of frozen layers does not depend on
 * it, so it is free to fit memory: {@code sum(f + a*b) <= memory} and {@code least <= b <=
 * requested}, HAPI's bounds (SoCC 2024, arXiv 2210.08650).
 *
 * <p>HAPI maximises the sum, whose best vertex gives some streams everything. Here the shares are
 * max-min fair: none can be raised but by lowering one that is not larger. Where whole samples do
 * not divide evenly, as many streams as possible get one more, the ones with small samples first.
 *
 * <p>Threading: stateless.
 */
public final class BatchAdapter {
  private BatchAdapter() {}

  /** Whether all of them can work at the same time. */
  public static boolean fits(long memory, List<Demand> demands) {
    long free = memory;
    for (Demand demand : demands) {
      long bytes = demand.bytes(demand.least());
      if (bytes > free) {
        return false;
      }
      free -= bytes;
    }
    return true;
  }

  /**
   * Samples at once, in the order of {@code demands}.
   *
   * @throws IllegalArgumentException unless they {@link #fits fit}
   */
  public static List<Integer> shares(long memory, List<Demand> demands) {
    if (!fits(memory, demands)) {
      throw new IllegalArgumentException("%d streams do not fit".formatted(demands.size()));
    }
    List<Share> shares = new ArrayList<>();
    long free = memory;
    for (Demand demand : demands) {
      shares.add(new Share(demand));
      free -= demand.bytes(demand.least());
    }
    List<Share> open = new ArrayList<>(shares);
    open.sort(Comparator.comparingLong(share -> share.demand.sampleBytes()));
    open.removeIf(Share::isFull);
    while (!open.isEmpty()) {
      int level = highestLevel(open, free);
      free -= raise(open, level);
      free -= oneMore(open, free, level);
    }
    return shares.stream().map(share -> share.samples).toList();
  }

  private static final class Share {
    final Demand demand;
    int samples;

    Share(Demand demand) {
      this.demand = demand;
      this.samples = demand.least();
    }

    boolean isFull() {
      return samples == demand.requested();
    }

    /** Samples more at {@code level}. */
    int missing(int level) {
      return Math.max(0, Math.min(level, demand.requested()) - samples);
    }

    long cost(int level) {
      int missing = missing(level);
      return missing == 0 ? 0 : demand.bytes(missing) - demand.fixedBytes();
    }
  }

  /** The highest level to which all of {@code open} can be raised. */
  private static int highestLevel(List<Share> open, long free) {
    int low = 0;
    int high = open.stream().mapToInt(share -> share.demand.requested()).max().orElseThrow();
    while (low < high) {
      int middle = low + (high - low + 1) / 2;
      if (cost(open, middle, free) <= free) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** What it costs to raise all to {@code level}, or something above {@code free}. */
  private static long cost(List<Share> open, int level, long free) {
    long sum = 0;
    for (Share share : open) {
      long cost = share.cost(level);
      if (cost > free - sum) {
        return Long.MAX_VALUE;
      }
      sum += cost;
    }
    return sum;
  }

  private static long raise(List<Share> open, int level) {
    long spent = 0;
    for (Share share : open) {
      spent += share.cost(level);
      share.samples += share.missing(level);
    }
    open.removeIf(Share::isFull);
    return spent;
  }

  /** Those at {@code level} get one more while they can; who cannot stays there. */
  private static long oneMore(List<Share> open, long free, int level) {
    long spent = 0;
    for (var shares = open.iterator(); shares.hasNext(); ) {
      Share share = shares.next();
      if (share.samples > level) {
        continue;
      }
      if (share.demand.sampleBytes() > free - spent) {
        shares.remove();
      } else {
        spent += share.demand.sampleBytes();
        share.samples++;
        if (share.isFull()) {
          shares.remove();
        }
      }
    }
    return spent;
  }
}
