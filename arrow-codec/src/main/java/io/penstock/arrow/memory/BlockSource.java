package io.penstock.arrow.memory;

/**
 * Where blocks come from. Whoever implements it charges the bytes to a budget before it allocates.
 *
 * <p>Threading: any thread may allocate.
 */
@FunctionalInterface
public interface BlockSource {
  /** What Arrow recommends for every buffer, and what vector instructions like. */
  int ALIGNMENT = 64;

  /**
   * A block of exactly {@code bytes}, which may be none.
   *
   * @throws BlockExhaustedException if there is no room for it now
   */
  Block allocate(long bytes);
}
