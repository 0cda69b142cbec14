package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.DeviceRegion;
import io.penstock.sink.arena.Leases;
import io.penstock.sink.arena.Place;
import io.penstock.sink.arena.Readiness;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link CudaArena}.
 *
 * <p>Threading: thread-safe; copies, waits and the close of one region exclude each other.
 *
 * <p>Ownership: owns its lease and its event.
 */
final class CudaRegion implements DeviceRegion, Readiness {
  private final CudaArena arena;
  private final Leases.Lease lease;
  private final long bytes;
  private @Nullable Event arrived;

  CudaRegion(CudaArena arena, Leases.Lease lease, long bytes) {
    this.arena = arena;
    this.lease = lease;
    this.bytes = bytes;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long address() {
    return arena.address(lease.offset());
  }

  @Override
  public Place place() {
    return arena.place();
  }

  @Override
  public synchronized void copyIn(long offset, MemorySegment source) {
    long from = place(offset, source);
    if (arrived == null) {
      arrived = arena.device().call(Event::create);
    }
    arena.copyIn(from, source, arrived);
  }

  @Override
  public synchronized void copyOut(long offset, MemorySegment target) {
    arena.copyOut(place(offset, target), target);
  }

  private long place(long offset, MemorySegment memory) {
    arena.leases().checkHeld(lease);
    return lease.offset() + Objects.checkFromIndexSize(offset, memory.byteSize(), bytes);
  }

  @Override
  public Readiness readiness() {
    return this;
  }

  @Override
  public synchronized boolean isReady() {
    arena.leases().checkHeld(lease);
    Event event = arrived;
    return event == null || arena.device().call(event::isReached);
  }

  @Override
  public synchronized void await() {
    arena.leases().checkHeld(lease);
    if (arrived != null) {
      arena.device().run(arrived::await);
    }
  }

  @Override
  public synchronized long eventAddress() {
    arena.leases().checkHeld(lease);
    return arrived == null ? 0 : arrived.wordAddress();
  }

  @Override
  public synchronized void close() {
    Event event = arrived;
    arrived = null;
    try {
      if (event != null) {
        arena.device().run(event::destroy);
      }
    } finally {
      arena.leases().giveBack(lease);
    }
  }
}
