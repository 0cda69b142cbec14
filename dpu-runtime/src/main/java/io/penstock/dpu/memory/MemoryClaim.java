package io.penstock.dpu.memory;

/**
 * A wish for memory.
 *
 * @param bytes how many, more than zero
 * @param owner who holds them, as it should read in a leak report: {@code "GET bucket/key #12"}
 */
public record MemoryClaim(MemoryArea area, long bytes, String owner) {
  public MemoryClaim {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a claim needs at least one byte, not " + bytes);
    }
  }

  /** A claim on {@link MemoryArea#BODIES}. */
  public static MemoryClaim body(long bytes, String owner) {
    return new MemoryClaim(MemoryArea.BODIES, bytes, owner);
  }
}
