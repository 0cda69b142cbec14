package io.penstock.sink.arena;

import io.penstock.arrow.memory.Block;
import java.lang.foreign.MemorySegment;

/**
 * A region that the processor reads and writes where it lies.
 *
 * <p>Threading: as {@link Region}.
 *
 * <p>Ownership: as {@link Region}; the segment cannot tell that its memory was given back.
 */
public final class HostRegion implements Region, Block {
  private final Leases leases;
  private final Leases.Lease lease;
  private final MemorySegment memory;
  private final Place place;

  HostRegion(Leases leases, Leases.Lease lease, MemorySegment memory, Place place) {
    this.leases = leases;
    this.lease = lease;
    this.memory = memory;
    this.place = place;
  }

  /**
   * The memory, exactly as long as was asked for.
   *
   * @throws ArenaException {@code CLOSED} if it was given back
   */
  @Override
  public MemorySegment segment() {
    leases.checkHeld(lease);
    return memory;
  }

  /** Where the region begins in its arena, in bytes: what another process adds to its mapping. */
  public long offset() {
    return lease.offset();
  }

  @Override
  public long bytes() {
    return memory.byteSize();
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public Place place() {
    return place;
  }

  @Override
  public void copyIn(long offset, MemorySegment source) {
    segment().asSlice(offset, source.byteSize()).copyFrom(source);
  }

  @Override
  public void copyOut(long offset, MemorySegment target) {
    target.copyFrom(segment().asSlice(offset, target.byteSize()));
  }

  @Override
  public Readiness readiness() {
    return Readiness.NOW;
  }

  @Override
  public void close() {
    leases.giveBack(lease);
  }
}
