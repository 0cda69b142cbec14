package io.penstock.gateway.upstream.wire;

/**
 * Makes receive buffers smaller when direct memory gets scarce, so that many slow readers share
 * what there is instead of exhausting it.
 *
 * <p>Threading: called on event loops, on several at once.
 */
@FunctionalInterface
public interface ReceiveBound {
  ReceiveBound NONE = wanted -> wanted;

  /** How large the next receive buffer may be; positive, at most {@code wanted}. */
  int atMost(int wanted);
}
