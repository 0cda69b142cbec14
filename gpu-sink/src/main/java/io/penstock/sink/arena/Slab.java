package io.penstock.sink.arena;

import java.lang.foreign.MemorySegment;

/**
 * The memory below an arena of the host.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Ownership: the arena that is built over it closes it, once.
 */
public interface Slab extends AutoCloseable {
  /** What it is. */
  ArenaKind kind();

  /** Which device reads it. */
  Place place();

  /** All of it, aligned to a page. */
  MemorySegment memory();

  /** Gives the memory back to the system. */
  @Override
  void close();
}
