package io.penstock.sink.client;

import java.time.Duration;

/**
 * How often a stream is opened again, and how long is waited before. Every batch that comes starts
 * the count anew.
 *
 * @param tries to get the next batch, the first one included; at least 1
 * @param first pause after the first failure; doubled for each further one
 * @param longest pause
 */
public record RetryPolicy(int tries, Duration first, Duration longest) {
  /** Six tries over about three seconds. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(6, Duration.ofMillis(100), Duration.ofSeconds(5));

  /** Each failure is the caller's to deal with. */
  public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO);

  /**
   * @throws IllegalArgumentException if there is not even one try
   */
  public RetryPolicy {
    if (tries < 1) {
      throw new IllegalArgumentException(tries + " tries: give at least 1");
    }
  }

  /**
   * The pause after {@code failures} failures in a row: first * 2^(failures - 1), at most the
   * longest, of which between a half and all is taken so that many clients do not come back at
   * once.
   *
   * @param lot drawn from 0 to 1
   */
  Duration pause(int failures, double lot) {
    double full = first.toNanos() * Math.pow(2, failures - 1.0);
    return Duration.ofNanos((long) (Math.min(full, (double) longest.toNanos()) * (0.5 + lot / 2)));
  }
}
