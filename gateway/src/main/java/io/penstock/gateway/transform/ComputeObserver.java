package io.penstock.gateway.transform;

/**
 * Is told what is computed, for metrics.
 *
 * <p>Threading: called on codec threads, on several at once; must return quickly.
 */
public interface ComputeObserver {
  ComputeObserver NONE = new ComputeObserver() {};

  /** Frozen layers were applied to one sample, in so many nanoseconds of one thread. */
  default void computed(long nanos) {}

  /** Features were found in the cache, so that nothing was computed. */
  default void found() {}

  /** A stream was given a split. */
  default void chosen(boolean automatically) {}
}
