package io.penstock.gateway.read.cache.disk;

/**
 * Is told what the second tier does, for metrics. Every method has an empty body, so an observer
 * states only what it counts.
 *
 * <p>Threading: called from any thread, on several at once; must return quickly.
 */
public interface DiskObserver {
  DiskObserver NONE = new DiskObserver() {};

  /** A block was read and is whole. */
  default void read(long bytes) {}

  /** A block was to be read, but its file had gone, or there was no memory for it. */
  default void missed() {}

  /** A file was not what it should be, and was deleted. */
  default void corrupt() {}

  default void written(long bytes) {}

  /** A block was not written: the disk is too slow for what comes in. */
  default void dropped(long bytes) {}
}
