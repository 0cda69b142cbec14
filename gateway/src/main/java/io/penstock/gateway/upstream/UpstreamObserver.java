package io.penstock.gateway.upstream;

/**
 * Is told what happens on the way to the store, for metrics. Every method has an empty body, so an
 * observer states only what it counts.
 *
 * <p>Threading: called on event loops, on several at once; must return quickly.
 */
public interface UpstreamObserver {
  UpstreamObserver NONE = new UpstreamObserver() {};

  /** A try begins. */
  default void started(String operation) {}

  /** A try has an answer; {@code nanos} is the time to its head. */
  default void answered(String operation, int status, long nanos) {}

  /** A try failed before the head of an answer. */
  default void failed(String operation, UpstreamFailure failure, long nanos) {}

  /** Another try will follow. */
  default void retried(String operation) {}

  /** A second try goes out because the answer of the first is late. */
  default void hedged(String operation) {}

  /** The second try was answered first. */
  default void hedgeWon(String operation) {}

  /** An answer is late, but the budget for second tries is spent. */
  default void hedgeRefused(String operation) {}

  /** No further try although one would have been allowed: the retry budget is spent. */
  default void retryRefused(String operation) {}

  /**
   * A call was held back because the store asked to slow down: for so long, or refused if {@code
   * nanos} is 0.
   */
  default void throttled(String operation, long nanos) {}

  /** A broken response body goes on over another connection. */
  default void resumed(String operation) {}

  /** A response body broke for good after some of it was delivered. */
  default void truncated(String operation) {}

  /** A part of an object is asked for beside others. */
  default void partStarted(String operation) {}

  /** A part was read in vain: so many bytes of it had come. */
  default void partWasted(String operation, long bytes) {}

  /** How many connections are meant to read large objects has changed by {@code delta}. */
  default void fanOutChanged(String operation, int delta) {}

  /** Several connections were not worth their while; one reads on. */
  default void fanOutGivenUp(String operation) {}

  default void connectionOpened(String endpoint, long nanos) {}

  default void connectionClosed(String endpoint) {}

  default void connectionRefused(String endpoint) {}

  /** How many connections of one event loop wait for work has changed by {@code delta}. */
  default void idleChanged(String endpoint, int delta) {}

  /** How many calls of one event loop wait for a connection has changed by {@code delta}. */
  default void waitingChanged(String endpoint, int delta) {}

  /** A pooled connection turned out to be closed and the call went out on another one. */
  default void stale(String endpoint) {}

  default void sent(String endpoint, long bytes) {}

  default void received(String endpoint, long bytes) {}

  /** An endpoint gets no more calls for a while. */
  default void ejected(String endpoint) {}

  /** An endpoint is used again. */
  default void restored(String endpoint) {}
}
