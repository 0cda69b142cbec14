package io.penstock.dpu.memory;

/**
 * Told about what {@link AreaUsage} cannot show: single events. Called outside the budget's lock,
 * on the thread that caused the event; must not block or throw.
 */
public interface MemoryObserver {
  MemoryObserver NONE = new MemoryObserver() {};

  /** A non-blocking claim found no room. */
  default void refused(MemoryClaim claim) {}

  /** A claim was granted after {@code nanos} in the queue (0: at once). */
  default void granted(MemoryClaim claim, long nanos) {}
}
