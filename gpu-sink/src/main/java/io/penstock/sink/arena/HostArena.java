package io.penstock.sink.arena;

import io.penstock.arrow.memory.BlockSource;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * An arena whose regions the processor writes and reads directly: a {@link Slab}, leased in pieces.
 * It is a source of blocks, so a stream of batches is received straight into it.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Ownership: owns its slab.
 */
public final class HostArena implements Arena, BlockSource {
  private final Slab slab;
  private final Leases leases;

  private HostArena(Slab slab) {
    this.slab = slab;
    this.leases = new Leases(slab.kind(), slab.memory().byteSize(), slab::close);
  }

  /** An arena over that slab, which it owns from now on. */
  public static HostArena over(Slab slab) {
    return new HostArena(slab);
  }

  /**
   * An arena in this process's own memory.
   *
   * @throws ArenaException {@code UNAVAILABLE} if the system has no such room
   */
  public static HostArena heap(long capacity) {
    return over(HeapSlab.of(capacity));
  }

  /**
   * An arena in a file that other processes map as a {@link SharedView}.
   *
   * @param folder a file system in memory; what died without cleaning up there is removed
   * @throws ArenaException {@code UNAVAILABLE} if the folder has no such room
   */
  public static HostArena shared(Path folder, String name, long capacity) {
    return over(SharedSlab.create(folder, name, capacity));
  }

  @Override
  public ArenaKind kind() {
    return slab.kind();
  }

  @Override
  public Place place() {
    return slab.place();
  }

  @Override
  public long capacity() {
    return leases.capacity();
  }

  @Override
  public long used() {
    return leases.used();
  }

  /** The memory below, for whoever tells other processes where a region lies. */
  public Slab slab() {
    return slab;
  }

  @Override
  public HostRegion allocate(long bytes) {
    Leases.Lease lease = leases.take(bytes);
    MemorySegment piece = slab.memory().asSlice(lease.offset(), bytes);
    return new HostRegion(leases, lease, piece, slab.place());
  }

  @Override
  public void close() {
    leases.close();
  }
}
