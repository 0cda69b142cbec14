package io.penstock.arrow.decode;

import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.util.OversizedAllocationException;

/** Runs what fills Arrow vectors, and makes an answer of a full allocator. */
final class ArrowMemory {

  private ArrowMemory() {}

  /** Work that fills vectors. */
  @FunctionalInterface
  interface Filling<T> {
    T run() throws DecodeException;
  }

  static <T> T within(Filling<T> filling) throws DecodeException {
    try {
      return filling.run();
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw new DecodeException(
          DecodeFault.TOO_LARGE, "the table needs more memory than it may have", e);
    }
  }
}
