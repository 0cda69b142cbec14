package io.penstock.sink.arena;

import java.lang.foreign.MemorySegment;

/**
 * A lease of a part of an arena: filled once, then read where it lies.
 *
 * <p>Threading: one thread fills it; {@link #readiness} and {@link #close} may be called by any.
 *
 * <p>Ownership: whoever holds a region closes it exactly once, after its last reader is done, and
 * does not touch its memory afterwards.
 */
public sealed interface Region extends AutoCloseable permits HostRegion, DeviceRegion {
  /** Length in bytes, as asked for. */
  long bytes();

  /** Address of the first byte, for the device of {@link #place}. */
  long address();

  /** Which device reads the memory at that address. */
  Place place();

  /**
   * Copies all of {@code source} to {@code offset}. The source may be changed when this returns;
   * the region holds the bytes once {@link #readiness} says so.
   *
   * @throws IndexOutOfBoundsException if the source does not fit there
   * @throws ArenaException {@code CLOSED} if the region is; or what the device says
   */
  void copyIn(long offset, MemorySegment source);

  /**
   * Fills all of {@code target} from {@code offset}, after every copy in has arrived.
   *
   * @throws IndexOutOfBoundsException if the region holds fewer bytes there
   * @throws ArenaException {@code CLOSED} if the region is; or what the device says
   */
  void copyOut(long offset, MemorySegment target);

  /** Whether what was copied in until now has arrived; a value for that moment. */
  Readiness readiness();

  /**
   * Gives the memory back to the arena.
   *
   * @throws ArenaException {@code CLOSED_TWICE} if it was given back before
   */
  @Override
  void close();
}
