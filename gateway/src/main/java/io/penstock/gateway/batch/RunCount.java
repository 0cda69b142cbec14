package io.penstock.gateway.batch;

import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many streams each tenant has open.
 *
 * <p>Threading: shared by all event loops.
 */
public final class RunCount {
  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  /**
   * Counts one more.
   *
   * @return gives the place back; further calls do nothing
   * @throws S3Exception SlowDown if the tenant has {@code most} already
   */
  Runnable enter(String tenant, int most) {
    int now = open.merge(tenant, 1, Integer::sum);
    AtomicBoolean left = new AtomicBoolean();
    Runnable leave =
        () -> {
          if (!left.getAndSet(true)) {
            open.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
          }
        };
    if (now > most) {
      leave.run();
      throw new S3Exception(
          S3Error.SLOW_DOWN,
          "This tenant already has %d batch streams (batch.max-runs-per-tenant): end one first."
              .formatted(most),
          Optional.of(Duration.ofSeconds(1)));
    }
    return leave;
  }

  /** Streams of all tenants. */
  public int total() {
    return open.values().stream().mapToInt(Integer::intValue).sum();
  }
}
