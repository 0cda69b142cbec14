package io.penstock.gateway.read.cache;

import io.penstock.gateway.read.plan.ReadAhead;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which version of each object the gateway knows. Every write that passes ends an epoch; what was
 * asked of the store in an earlier epoch can no longer be learned, however late its answer comes.
 * Epochs are kept for groups of keys: two keys of one group disturb each other's learning, never
 * their correctness.
 *
 * <p>Threading: any thread.
 */
final class ObjectTable {
  private static final int GROUPS = 4096;
  private static final int BUCKETS = 256;

  /** No epoch: nothing of the key may be learned now. */
  static final long CLOSED = -1;

  private final BlockCache blocks;
  private final int blockSize;
  private final int most;
  private final LongFunction<ReadAhead> readAheads;
  private final CacheObserver observer;
  private final ConcurrentHashMap<ObjectName, ObjectEntry> entries = new ConcurrentHashMap<>();
  private final ArrayDeque<ObjectEntry> byAge = new ArrayDeque<>();
  private final AtomicLongArray epochs = new AtomicLongArray(GROUPS);
  private final AtomicLongArray closedUntil = new AtomicLongArray(GROUPS);
  private final AtomicLongArray closedBuckets = new AtomicLongArray(BUCKETS);
  private final AtomicLong everything = new AtomicLong();

  /**
   * @param most entries to keep
   * @param readAheads makes the plan for an object of this length
   */
  ObjectTable(
      BlockCache blocks,
      int blockSize,
      int most,
      LongFunction<ReadAhead> readAheads,
      CacheObserver observer) {
    this.blocks = blocks;
    this.blockSize = blockSize;
    this.most = most;
    this.readAheads = readAheads;
    this.observer = observer;
  }

  @Nullable ObjectEntry find(ObjectName name) {
    ObjectEntry entry = entries.get(name);
    if (entry != null && !entry.used()) {
      entry.used(true);
    }
    return entry;
  }

  /** To be taken before the store is asked; {@link #CLOSED} if a write's outcome is not known. */
  long epoch(ObjectName name, long nowNanos) {
    int group = group(name);
    if (isClosed(closedUntil.get(group), nowNanos)
        || isClosed(closedBuckets.get(bucketGroup(name.bucket())), nowNanos)) {
      return CLOSED;
    }
    return epochs.get(group) + everything.get();
  }

  /** 0 means never closed. */
  private static boolean isClosed(long untilNanos, long nowNanos) {
    return untilNanos != 0 && untilNanos - nowNanos > 0;
  }

  private boolean isOver(ObjectName name, long epoch) {
    return epoch == CLOSED || epochs.get(group(name)) + everything.get() != epoch;
  }

  /**
   * Notes what the store has answered.
   *
   * @param epoch as it was before the store was asked at {@code askedNanos}
   * @return the entry of exactly this version; empty if it must not be kept
   */
  Optional<ObjectEntry> learn(ObjectName name, VersionHead head, long epoch, long askedNanos) {
    ObjectEntry[] replaced = new ObjectEntry[1];
    ObjectEntry now =
        entries.compute(
            name,
            (_, known) -> {
              if (isOver(name, epoch)) {
                return known;
              }
              if (known == null || known.isOf(head)) {
                return known == null
                    ? entry(name, head, askedNanos)
                    : refreshed(known, head, askedNanos);
              }
              if (known.age(askedNanos) < 0) {
                // confirmed after this was asked: this is the older version
                return known;
              }
              replaced[0] = known;
              return entry(name, head, askedNanos);
            });
    if (replaced[0] != null) {
      blocks.drop(replaced[0]);
    }
    if (entries.size() > most) {
      trim();
    }
    return Optional.ofNullable(now).filter(entry -> entry.isOf(head));
  }

  private ObjectEntry entry(ObjectName name, VersionHead head, long askedNanos) {
    ObjectEntry entry =
        new ObjectEntry(name, head, blockSize, readAheads.apply(head.length()), askedNanos);
    synchronized (byAge) {
      byAge.addLast(entry);
      if (byAge.size() > 2 * most) {
        byAge.removeIf(old -> !old.isCurrent());
      }
    }
    return entry;
  }

  private static ObjectEntry refreshed(ObjectEntry known, VersionHead head, long askedNanos) {
    known.confirmed(askedNanos);
    known.learnChecksums(head.checksums());
    return known;
  }

  /** The store has said after {@code askedNanos} that this version is the current one. */
  void confirm(ObjectEntry entry, long epoch, long askedNanos) {
    if (!isOver(entry.name(), epoch)) {
      entry.confirmed(askedNanos);
    }
  }

  /** The store no longer has this version. */
  void forget(ObjectEntry entry) {
    entries.remove(entry.name(), entry);
    blocks.drop(entry);
  }

  /**
   * A write to {@code key} begins or has ended.
   *
   * @param version the version it names, or empty
   */
  void invalidate(String bucket, String key, String version) {
    ObjectName plain = new ObjectName(bucket, key, "");
    epochs.incrementAndGet(group(plain));
    remove(plain);
    // what an unversioned write replaces also has a name of its own
    remove(new ObjectName(bucket, key, "null"));
    if (!version.isEmpty()) {
      remove(new ObjectName(bucket, key, version));
    }
  }

  /** A write to the bucket as a whole begins or has ended. */
  void invalidate(String bucket) {
    everything.incrementAndGet();
    for (ObjectName name : entries.keySet()) {
      if (name.bucket().equals(bucket)) {
        remove(name);
      }
    }
  }

  /** A write's outcome is not known: the store may still carry it out until {@code untilNanos}. */
  void distrust(String bucket, String key, long untilNanos) {
    closedUntil.set(group(new ObjectName(bucket, key, "")), untilNanos == 0 ? 1 : untilNanos);
  }

  /** The outcome of a write to the bucket as a whole is not known. */
  void distrust(String bucket, long untilNanos) {
    closedBuckets.set(bucketGroup(bucket), untilNanos == 0 ? 1 : untilNanos);
  }

  private void remove(ObjectName name) {
    ObjectEntry removed = entries.remove(name);
    if (removed != null) {
      blocks.drop(removed);
      observer.invalidated();
    }
  }

  /** Those that were looked for since their last turn get another one. */
  private void trim() {
    while (entries.size() > most) {
      ObjectEntry oldest;
      synchronized (byAge) {
        oldest = byAge.pollFirst();
        if (oldest == null) {
          return;
        }
        if (oldest.isCurrent() && oldest.used()) {
          oldest.used(false);
          byAge.addLast(oldest);
          continue;
        }
      }
      forget(oldest);
    }
  }

  int size() {
    return entries.size();
  }

  private static int bucketGroup(String bucket) {
    return bucket.hashCode() & (BUCKETS - 1);
  }

  private static int group(ObjectName name) {
    return (int) (name.fingerprint() & (GROUPS - 1));
  }
}
