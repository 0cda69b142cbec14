package io.penstock.gateway.batch;

/**
 * Is told what happens in batches, for metrics. Every method has an empty body, so an observer
 * states only what it counts.
 *
 * <p>Threading: called on event loops and codec threads, on several at once; must return quickly.
 */
public interface BatchObserver {
  BatchObserver NONE = new BatchObserver() {};

  /** A stream begins. */
  default void started() {}

  /** A stream is over, whatever became of it. */
  default void ended() {}

  /** A batch was taken, with so many payload bytes, items that are there and items that failed. */
  default void batch(long bytes, int present, int missing) {}

  /** A client took so many payload bytes in the time since they were ready. */
  default void taken(long bytes, long nanos) {}

  /** A stream ended with an error after it had begun. */
  default void failed(String code) {}

  /** An item was decoded, or found to be undecodable, in so many nanoseconds of one thread. */
  default void decoded(long nanos) {}

  /** Reading had to wait for memory. */
  default void waited() {}

  /** A client took nothing for too long. */
  default void cutOff() {}

  /** A ring of so many bytes is mapped; negative when it is let go. */
  default void ringMapped(long bytes) {}

  /** Bytes were copied into a ring, which had to be waited for or not. */
  default void ringWritten(long bytes, boolean waited) {}

  /** Consumers of a ring were passed over: dead, or too slow. */
  default void ringConsumersCutOff(long count) {}
}
