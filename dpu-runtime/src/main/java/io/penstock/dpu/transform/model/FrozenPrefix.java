package io.penstock.dpu.transform.model;

import java.lang.foreign.MemorySegment;

/**
 * The part of a network before a cut, ready to run until closed.
 *
 * <p>Threading: any number of compute threads may call {@link #apply} at once, an event loop never.
 *
 * <p>Ownership: whoever got it closes it; the session behind it stays with the store for the next.
 */
public interface FrozenPrefix extends AutoCloseable {
  Cut cut();

  /**
   * Computes {@code samples} samples. Blocks until done. What a sample becomes depends on that
   * sample only: neither on its neighbours nor on how many are given at once, to the last bit (on
   * the CPU; see docs/models.md for CUDA).
   *
   * @param input off-heap, {@code samples} times the model's input, one after the other, without
   *     padding, aligned to its element type
   * @param output off-heap, {@code samples} times the cut's tensor; undefined if this throws
   * @throws IllegalArgumentException if a segment is on the heap or has another size
   * @throws IllegalStateException if closed, or called on a thread that may not block
   * @throws ModelException if ONNX Runtime fails
   */
  void apply(MemorySegment input, int samples, MemorySegment output);

  /** Gives the session back; a call in flight must have returned. */
  @Override
  void close();
}
