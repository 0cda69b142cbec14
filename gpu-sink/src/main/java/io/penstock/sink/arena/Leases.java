package io.penstock.sink.arena;

import static io.penstock.arrow.memory.BlockSource.ALIGNMENT;

import io.penstock.arrow.memory.BlockExhaustedException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which parts of a slab are leased: the books of every arena. The lowest gap that is large enough
 * is taken, and neighbours join when they are given back, so a run of batches of one size always
 * finds its room again.
 *
 * <p>Threading: thread-safe.
 */
public final class Leases {
  private final ArenaKind kind;
  private final long capacity;
  private final Runnable release;
  private final TreeMap<Long, Long> gaps = new TreeMap<>();
  private final Set<Lease> held = new HashSet<>();
  private long used;
  private long count;
  private boolean closed;

  /**
   * One part of the slab.
   *
   * @param number which lease of the arena, for messages
   * @param offset where it begins, a multiple of the alignment
   * @param bytes its length, rounded up to the alignment
   */
  public record Lease(long number, long offset, long bytes) {}

  /**
   * @param capacity bytes of the slab; what exceeds a multiple of the alignment is not used
   * @param release gives the slab back; called once, when the arena is closed and nothing is held
   */
  public Leases(ArenaKind kind, long capacity, Runnable release) {
    this.kind = kind;
    this.capacity = capacity / ALIGNMENT * ALIGNMENT;
    this.release = release;
    if (capacity >= ALIGNMENT) {
      gaps.put(0L, this.capacity);
    }
  }

  /** Bytes of the slab that can be leased. */
  public long capacity() {
    return capacity;
  }

  /** Bytes that are leased now. */
  public synchronized long used() {
    return used;
  }

  /**
   * Leases at least {@code bytes}; one of none has a place of its own too.
   *
   * @throws BlockExhaustedException if no gap is large enough
   * @throws ArenaException {@code CLOSED} after {@link #close}
   */
  public synchronized Lease take(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a region cannot have " + bytes + " bytes");
    }
    if (closed) {
      throw new ArenaException(
          ArenaException.Fault.CLOSED, "the %s arena was closed".formatted(kind.text()));
    }
    if (bytes <= capacity) {
      long rounded = Math.ceilDiv(Math.max(bytes, 1), ALIGNMENT) * ALIGNMENT;
      for (Map.Entry<Long, Long> gap : gaps.entrySet()) {
        if (gap.getValue() >= rounded) {
          return lease(gap.getKey(), gap.getValue(), rounded);
        }
      }
    }
    throw new BlockExhaustedException(
        "the %s arena has no %d bytes in one piece: %d of %d are in use by %d regions; close some, or give it more"
            .formatted(kind.text(), bytes, used, capacity, held.size()));
  }

  private Lease lease(long offset, long gap, long bytes) {
    gaps.remove(offset);
    if (gap > bytes) {
      gaps.put(offset + bytes, gap - bytes);
    }
    Lease lease = new Lease(++count, offset, bytes);
    held.add(lease);
    used += bytes;
    return lease;
  }

  /**
   * Takes the lease back.
   *
   * @throws ArenaException {@code CLOSED_TWICE} if it was given back before
   */
  public void giveBack(Lease lease) {
    if (remove(lease)) {
      release.run();
    }
  }

  private synchronized boolean remove(Lease lease) {
    if (!held.remove(lease)) {
      throw new ArenaException(
          ArenaException.Fault.CLOSED_TWICE,
          "region %d of the %s arena was closed twice: its memory may be another's by now"
              .formatted(lease.number(), kind.text()));
    }
    used -= lease.bytes();
    long from = lease.offset();
    long to = from + lease.bytes();
    Map.Entry<Long, Long> below = gaps.lowerEntry(from);
    if (below != null && below.getKey() + below.getValue() == from) {
      from = below.getKey();
      gaps.remove(from);
    }
    Long above = gaps.remove(to);
    gaps.put(from, (above == null ? to : to + above) - from);
    return closed && held.isEmpty();
  }

  /**
   * Refuses a region that was given back.
   *
   * @throws ArenaException {@code CLOSED} if it was
   */
  public synchronized void checkHeld(Lease lease) {
    if (!held.contains(lease)) {
      throw new ArenaException(
          ArenaException.Fault.CLOSED,
          "region %d of the %s arena was closed".formatted(lease.number(), kind.text()));
    }
  }

  /**
   * Ends leasing, and releases the slab as soon as nothing is held. A second call does nothing.
   *
   * @throws ArenaException {@code LEAKED} if something is held
   */
  public void close() {
    int left;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      left = held.size();
    }
    if (left == 0) {
      release.run();
      return;
    }
    throw new ArenaException(
        ArenaException.Fault.LEAKED,
        "the %s arena was closed while %d regions of %d bytes were held: close each region before it"
            .formatted(kind.text(), left, used()));
  }
}
