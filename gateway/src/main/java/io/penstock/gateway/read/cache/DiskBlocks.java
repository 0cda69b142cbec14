package io.penstock.gateway.read.cache;

import io.penstock.gateway.read.cache.disk.DiskName;
import io.penstock.gateway.read.cache.disk.DiskTier;
import java.util.Optional;

/**
 * The blocks of the second tier, if there is one. Blocks are written when they come into memory
 * from the store, and brought back as a {@link Fill} like any other: readers wait for it, and ask
 * the store if it is slow or breaks off.
 *
 * <p>Threading: any thread; never blocks.
 *
 * <p>Ownership: a block that is brought belongs to the cache.
 */
final class DiskBlocks {
  /** How many blocks to read at once: the next ones are read while the first is being sent. */
  private static final int RUN = 4;

  private final Optional<DiskTier> tier;

  DiskBlocks(Optional<DiskTier> tier) {
    this.tier = tier;
  }

  boolean holds(ObjectEntry entry, int block) {
    return tier.isPresent() && tier.get().holds(entry.onDisk(), block);
  }

  /**
   * Whether it is worth asking the store for the version of an object that is not in memory.
   *
   * @param first offset of the first byte of interest, or -1 if that is not known
   */
  boolean mayHold(ObjectName name, long first, int blockSize) {
    int block = first < 0 ? -1 : (int) Math.min(Integer.MAX_VALUE, first / blockSize);
    return tier.isPresent() && tier.get().mayHold(onDisk(name), block);
  }

  /**
   * Writes a whole block, later.
   *
   * @param memory stays the caller's
   */
  void keep(ObjectEntry entry, int block, BlockMemory memory) {
    if (tier.isPresent() && entry.isCurrent()) {
      memory.retain();
      tier.get().keep(entry.onDisk(), block, memory);
    }
  }

  /**
   * Begins to read the blocks from {@code from} on that are here, {@code to} at most.
   *
   * @param isAhead whether nobody has asked for them yet
   * @return empty if there is nothing to wait for
   */
  Optional<Fill> bring(BlockCache cache, ObjectEntry entry, int from, int to, boolean isAhead) {
    int last = from - 1;
    while (last < to && last < from + RUN - 1 && isOnlyHere(entry, last + 1)) {
      last++;
    }
    if (last < from) {
      return Optional.empty();
    }
    int end = last;
    Fill fill = Fill.begin(cache, entry, entry.start(from), entry.end(end) - 1, isAhead);
    DiskTier disk = tier.orElseThrow();
    if (!disk.submit(() -> read(disk, cache, entry, fill, from, end))) {
      fill.finish();
      return Optional.empty();
    }
    return Optional.of(fill);
  }

  private boolean isOnlyHere(ObjectEntry entry, int block) {
    return !entry.has(block) && entry.start(block) < entry.length() && holds(entry, block);
  }

  private static void read(
      DiskTier disk, BlockCache cache, ObjectEntry entry, Fill fill, int from, int to) {
    try {
      for (int block = from; block <= to && entry.isCurrent(); block++) {
        BlockMemory memory = cache.allocate((int) (entry.end(block) - entry.start(block)));
        if (memory == null) {
          disk.noRoom();
          return;
        }
        if (!disk.read(entry.onDisk(), block, memory)) {
          memory.release();
          return;
        }
        fill.pass(block, memory);
      }
    } finally {
      fill.finish();
    }
  }

  /** A write to the object begins or has ended. */
  void forget(ObjectName name) {
    tier.ifPresent(disk -> disk.forget(onDisk(name)));
  }

  static DiskName onDisk(ObjectName name) {
    return new DiskName(name.bucket(), name.key(), name.version());
  }
}
