package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBufAllocator;
import io.penstock.config.ByteSize;
import io.penstock.config.CacheConfig;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.read.cache.disk.DiskObserver;
import io.penstock.gateway.read.cache.disk.DiskTier;
import io.penstock.gateway.read.plan.ReadAhead;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What the event loops share of the cache: the blocks, the versions known, and who is reading what.
 * {@link #reader} makes a loop's way in, {@link #writes} is told of writes.
 *
 * <p>Threading: any thread.
 *
 * <p>Ownership: holds all cached memory until {@link #close}.
 */
public final class ReadCache implements AutoCloseable {
  /** Asking the store costs as much as fetching something as small as this. */
  private static final long WORTH_ASKING = 64 << 10;

  private static final Duration SHORT_MEMORY = Duration.ofMinutes(1);

  final BlockCache blocks;
  final Optional<DiskTier> disk;
  final int blockSize;
  final ObjectTable table;
  final CacheObserver observer;
  final InstantSource clock;
  final ConcurrentHashMap<HeadFlight.Key, HeadFlight> flights = new ConcurrentHashMap<>();
  final long freshNanos;
  final long trustNanos;
  private final Doorkeeper seen;
  private final Doorkeeper notWorthIt;
  private final boolean admitsAtOnce;
  private final Writes writes;

  private ReadCache(
      CacheConfig config,
      MemoryBudget budget,
      InstantSource clock,
      LongSupplier nanoClock,
      Observers observers) {
    this.observer = observers.cache();
    this.clock = clock;
    this.disk = config.disk().map(tier -> open(tier, observers.disk()));
    DiskBlocks diskBlocks = new DiskBlocks(disk);
    this.blocks =
        new BlockCache(
            budget,
            ByteBufAllocator.DEFAULT,
            config.memory().map(ByteSize::bytes).orElse(Long.MAX_VALUE),
            diskBlocks,
            observer);
    this.blockSize = (int) config.blockSize().bytes();
    CacheConfig.ReadAheadConfig ahead = config.readAhead();
    // one reader must not push out what was brought for it, nor all that others use
    long window = Math.min(ahead.maxWindow().bytes(), blocks.limit() / 4);
    ReadAhead.Settings settings = new ReadAhead.Settings(blockSize, ahead.enabled() ? window : 0);
    this.table =
        new ObjectTable(
            blocks,
            blockSize,
            config.maxObjects(),
            length -> new ReadAhead(settings, length),
            observer);
    this.freshNanos = config.freshFor().toNanos();
    this.trustNanos =
        ahead.enabled() ? Math.max(freshNanos, ahead.trustFor().toNanos()) : freshNanos;
    this.admitsAtOnce = config.admitWithin().isZero();
    this.seen = new Doorkeeper(config.maxObjects(), Math.max(1, config.admitWithin().toNanos()));
    this.notWorthIt = new Doorkeeper(config.maxObjects(), SHORT_MEMORY.toNanos());
    this.writes = new Writes(table, diskBlocks, nanoClock);
  }

  private static DiskTier open(CacheConfig.DiskConfig config, DiskObserver observer) {
    return DiskTier.open(Path.of(config.path()), config.size().bytes(), observer);
  }

  /** Who is told of what. */
  public record Observers(CacheObserver cache, DiskObserver disk) {}

  /**
   * The cache that {@code config} asks for; empty if it asks for none.
   *
   * @throws java.io.UncheckedIOException if the folder of its second tier cannot be used
   */
  public static Optional<ReadCache> of(
      CacheConfig config,
      MemoryBudget budget,
      InstantSource clock,
      LongSupplier nanoClock,
      Observers observers) {
    boolean off = config.memory().filter(size -> size.bytes() == 0).isPresent();
    if (off) {
      return Optional.empty();
    }
    ReadCache cache = new ReadCache(config, budget, clock, nanoClock, observers);
    budget.reclaimFrom(cache.blocks::reclaim);
    return Optional.of(cache);
  }

  /** Reads through the cache on one event loop. */
  public CachingReader reader(Loop loop) {
    return new CachingReader(this, loop);
  }

  /**
   * What is kept of computing on the objects of a bucket.
   *
   * @param recipe everything that decides what becomes of an object
   * @param bytes of what becomes of each
   * @param loop the event loop that asks
   */
  public KeptFeatures features(String bucket, String recipe, long bytes, Executor loop) {
    // a slash is in no bucket's name
    return new KeptFeatures(
        this, "features/" + bucket + "/" + recipe, bytes, loop, System::nanoTime);
  }

  public Writes writes() {
    return writes;
  }

  /** Notes a visit; whether the object has been asked for lately. */
  boolean isKnown(ObjectName name, long nowNanos) {
    if (admitsAtOnce) {
      return true;
    }
    boolean known = seen.has(name, nowNanos);
    seen.note(name, nowNanos);
    return known;
  }

  /** Whether reads of this object had better not be looked at any further. */
  boolean isNotWorthIt(ObjectName name, long nowNanos) {
    return freshNanos == 0 && notWorthIt.has(name, nowNanos);
  }

  /** Whether this version is worth its memory; if not, that is remembered for a while. */
  boolean isWorthIt(ObjectName name, VersionHead head, long nowNanos) {
    boolean worth = freshNanos > 0 || head.length() >= WORTH_ASKING;
    if (!worth) {
      notWorthIt.note(name, nowNanos);
    }
    return worth;
  }

  /** Bytes of whole blocks in memory. */
  public long bytes() {
    return blocks.bytes();
  }

  public int objects() {
    return table.size();
  }

  /** The second tier, if there is one. */
  public Optional<DiskTier> disk() {
    return disk;
  }

  @Override
  public void close() {
    disk.ifPresent(DiskTier::close);
    blocks.close();
  }
}
