package io.penstock.gateway.upstream;

import io.penstock.config.UpstreamConfig.RetryConfig;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between tries: a random time between nothing and {@code initial * 2^(tries-1)}, at most
 * the configured maximum ("full jitter": whoever failed together does not come back together).
 *
 * <p>Threading: as the random generator's.
 */
final class Backoff {
  private static final int MOST_DOUBLINGS = 30;

  private final long initial;
  private final long most;
  private final RandomGenerator random;

  Backoff(RetryConfig config, RandomGenerator random) {
    this.initial = config.initialBackoff().toNanos();
    this.most = config.maxBackoff().toNanos();
    this.random = random;
  }

  /**
   * The pause after this many failed tries.
   *
   * @param tries at least 1
   */
  Duration after(int tries) {
    long doubled = initial << Math.min(MOST_DOUBLINGS, tries - 1);
    long bound =
        doubled <= 0 || doubled >> Math.min(MOST_DOUBLINGS, tries - 1) != initial
            ? most
            : Math.min(most, doubled);
    return Duration.ofNanos(random.nextLong(bound + 1));
  }

  /**
   * The longest pause that is waited out here; for a longer one the client is told to come back.
   */
  Duration longest() {
    return Duration.ofNanos(most);
  }
}
