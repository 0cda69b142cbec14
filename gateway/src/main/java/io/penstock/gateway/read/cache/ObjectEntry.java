package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.cache.disk.DiskVersion;
import io.penstock.gateway.read.plan.ReadAhead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object: what to say about it, when the store last confirmed it, which of its
 * blocks are here and which are on their way.
 *
 * <p>Threading: any thread; blocks come and go under the cache's lock and are read without it.
 *
 * <p>Ownership: its blocks' memory belongs to the cache.
 */
final class ObjectEntry {
  private final ObjectName name;
  private final String etag;
  private final long length;
  private final int blockSize;
  private final HttpFields fields;
  private final ConcurrentHashMap<Integer, Block> blocks = new ConcurrentHashMap<>();
  private final CopyOnWriteArrayList<Fill> fills = new CopyOnWriteArrayList<>();
  private final ReadAhead readAhead;
  private volatile Optional<HttpFields> checksums;
  private volatile long confirmedNanos;
  private volatile boolean current = true;
  private volatile boolean used;
  private volatile @Nullable DiskVersion onDisk;
  private final AtomicBoolean watched = new AtomicBoolean();

  ObjectEntry(
      ObjectName name, VersionHead head, int blockSize, ReadAhead readAhead, long confirmedNanos) {
    this.name = name;
    this.etag = head.etag();
    this.length = head.length();
    this.fields = head.fields();
    this.checksums = head.checksums();
    this.blockSize = blockSize;
    this.readAhead = readAhead;
    this.confirmedNanos = confirmedNanos;
  }

  ObjectName name() {
    return name;
  }

  String etag() {
    return etag;
  }

  /** Bytes of the whole object. */
  long length() {
    return length;
  }

  HttpFields fields() {
    return fields;
  }

  /** The store's checksums of the whole object, once somebody has asked for them. */
  Optional<HttpFields> checksums() {
    return checksums;
  }

  /** What this entry's readers do in order. */
  ReadAhead readAhead() {
    return readAhead;
  }

  /** Whether {@code head} describes the version that this entry holds. */
  boolean isOf(VersionHead head) {
    return etag.equals(head.etag())
        && length == head.length()
        && fields.get("last-modified").equals(head.fields().get("last-modified"));
  }

  /** The store has said that this version is the current one, at some time after {@code nanos}. */
  void confirmed(long nanos) {
    if (nanos - confirmedNanos > 0) {
      confirmedNanos = nanos;
    }
  }

  void learnChecksums(Optional<HttpFields> learned) {
    if (learned.isPresent()) {
      checksums = learned;
    }
  }

  /** Nanoseconds since the store last confirmed the version. */
  long age(long nowNanos) {
    return nowNanos - confirmedNanos;
  }

  /** False once the table has another version, or none. */
  boolean isCurrent() {
    return current;
  }

  void retire() {
    current = false;
  }

  boolean used() {
    return used;
  }

  void used(boolean lately) {
    used = lately;
  }

  /** Whether the caller is the one that looks after resting readers. */
  boolean beginWatch() {
    return watched.compareAndSet(false, true);
  }

  void endWatch() {
    watched.set(false);
  }

  int blockOf(long offset) {
    return (int) (offset / blockSize);
  }

  /** Offset of a block's first byte. */
  long start(int block) {
    return (long) block * blockSize;
  }

  /** Offset after a block's last byte. */
  long end(int block) {
    return Math.min(length, start(block) + blockSize);
  }

  /** What this version's files are known by. */
  DiskVersion onDisk() {
    DiskVersion known = onDisk;
    if (known == null) {
      String modified = fields.get("last-modified").orElse("");
      known = new DiskVersion(DiskBlocks.onDisk(name), etag, modified, length, blockSize);
      onDisk = known;
    }
    return known;
  }

  long identity(int block) {
    return 31 * (31 * name.fingerprint() + etag.hashCode()) + block;
  }

  boolean has(int block) {
    return blocks.containsKey(block);
  }

  /**
   * The bytes from {@code offset} to the end of its block, {@code end} at most, as a slice that the
   * caller releases; null if they are not here.
   */
  @Nullable ByteBuf slice(long offset, long end) {
    int index = blockOf(offset);
    Block block = blocks.get(index);
    if (block == null) {
      return null;
    }
    try {
      block.memory().retain();
    } catch (IllegalReferenceCountException evicted) {
      return null;
    }
    long start = start(index);
    if (offset == start) {
      // a reader of small ranges uses a block once, not once a range
      block.use();
    }
    return block.memory().slice((int) (offset - start), (int) (Math.min(end, end(index)) - offset));
  }

  /** Called under the cache's lock. */
  boolean add(Block block) {
    return current && blocks.putIfAbsent(block.index(), block) == null;
  }

  /** Called under the cache's lock. */
  void remove(Block block) {
    blocks.remove(block.index(), block);
  }

  List<Block> blocks() {
    return List.copyOf(blocks.values());
  }

  void begin(Fill fill) {
    fills.add(fill);
  }

  void finish(Fill fill) {
    fills.remove(fill);
  }

  /** Whoever is about to bring this block, if anybody is. */
  Optional<Fill> fillOf(int block) {
    Fill nearest = null;
    for (Fill fill : fills) {
      if (fill.willBring(block) && (nearest == null || fill.next() > nearest.next())) {
        nearest = fill;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Whether a read that begins at {@code offset} need not ask the store for its first bytes. */
  boolean canBegin(long offset) {
    int block = blockOf(offset);
    return has(block) || fillOf(block).isPresent();
  }
}
