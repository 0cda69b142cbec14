package io.penstock.dpu.memory;

import java.util.EnumMap;
import java.util.Map;

/**
 * How a total is divided: each area has a ceiling, and may have a lifeline.
 *
 * <p>Ceilings overlap on purpose, so that an idle area's share serves the busy ones; only the total
 * is hard for all of them together. A lifeline is the opposite: bytes of the total that no other
 * area can take, kept for one reservation at a time when nothing else is left, so that something
 * always makes progress.
 *
 * @param total all bytes, all areas
 * @param areas one entry per {@link MemoryArea}
 */
public record MemorySplit(long total, Map<MemoryArea, Share> areas) {
  private static final long MIB = 1 << 20;

  /** The bounds of one area: {@code 0 <= lifeline <= ceiling <= total}. */
  public record Share(long ceiling, long lifeline) {
    public Share {
      if (lifeline < 0 || ceiling < lifeline) {
        throw new IllegalArgumentException(
            "lifeline " + lifeline + " must lie between 0 and the ceiling " + ceiling);
      }
    }
  }

  public MemorySplit {
    areas = Map.copyOf(areas);
    long lifelines = 0;
    for (MemoryArea area : MemoryArea.values()) {
      Share share = areas.get(area);
      if (share == null || share.ceiling() > total) {
        throw new IllegalArgumentException(
            area + " needs a share of at most the total of " + total + " bytes, not " + share);
      }
      lifelines += share.lifeline();
    }
    if (lifelines > total) {
      throw new IllegalArgumentException(
          "lifelines of " + lifelines + " bytes do not fit in " + total);
    }
  }

  /**
   * The usual division. Bodies may take everything the others leave; cache (40 %), batches (30 %)
   * and models (10 %) together leave them a fifth. Lifelines: an eighth of the total, at most 4 MiB
   * for bodies and 32 MiB for batches; cache and models can go without.
   */
  public static MemorySplit of(long total) {
    Map<MemoryArea, Share> areas = new EnumMap<>(MemoryArea.class);
    areas.put(MemoryArea.BODIES, new Share(total, Math.min(4 * MIB, total / 8)));
    areas.put(MemoryArea.CACHE, new Share(total * 4 / 10, 0));
    areas.put(MemoryArea.BATCHES, new Share(total * 3 / 10, Math.min(32 * MIB, total / 8)));
    areas.put(MemoryArea.MODELS, new Share(total / 10, 0));
    return new MemorySplit(total, areas);
  }

  Share share(MemoryArea area) {
    Share share = areas.get(area);
    if (share == null) {
      throw new IllegalArgumentException("no share for " + area);
    }
    return share;
  }
}
