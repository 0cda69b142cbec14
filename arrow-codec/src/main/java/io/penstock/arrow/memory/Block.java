package io.penstock.arrow.memory;

import java.lang.foreign.MemorySegment;

/**
 * One contiguous piece of off-heap memory, aligned to {@link BlockSource#ALIGNMENT}. Its content is
 * undefined until written.
 *
 * <p>Threading: the memory may be used by any thread; who shares a block sees to the ordering.
 *
 * <p>Ownership: whoever holds a block closes it exactly once, and does not touch its segment
 * afterwards: the segment cannot tell that its memory has gone.
 */
public interface Block extends AutoCloseable {
  /** The memory, exactly as long as was asked for. */
  MemorySegment segment();

  /** Gives the memory back. */
  @Override
  void close();
}
