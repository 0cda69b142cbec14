package io.penstock.gateway.read.cache;

/**
 * Is told what the cache does, for metrics. Every method has an empty body, so an observer states
 * only what it counts.
 *
 * <p>Threading: called from any thread, on several at once; must return quickly.
 */
public interface CacheObserver {
  CacheObserver NONE = new CacheObserver() {};

  /** How a GET was answered. */
  enum Outcome {
    /** From memory, without asking the store. */
    HIT,
    /** From memory, after the store had confirmed the version. */
    CONFIRMED,
    /** By the store, and fit to be kept. */
    MISS,
    /** By the store, as the request is not for the cache. */
    BYPASS
  }

  default void answered(Outcome outcome) {}

  /** The store was asked whether a version is still the current one. */
  default void revalidated(boolean unchanged) {}

  /** Bytes handed to clients from memory. */
  default void served(long bytes) {}

  /** Bytes of whole blocks taken in. */
  default void filled(long bytes) {}

  default void evicted(long bytes) {}

  /** A block was not kept: the budget had no room. */
  default void refused(long bytes) {}

  /** A write has removed an object. */
  default void invalidated() {}

  /** A reader waits for what another one is already reading. */
  default void followed() {}

  /** Bytes asked for ahead of a reader. */
  default void readAhead(long bytes) {}

  /** Bytes brought ahead that nobody came for. */
  default void readAheadWasted(long bytes) {}
}
