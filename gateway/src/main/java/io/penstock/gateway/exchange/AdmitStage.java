package io.penstock.gateway.exchange;

import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Is there room? Bounds the requests in flight over all event loops; whoever comes above the bound is told to slow down.
 *
 * <p>Threading: shared by all event loops.
 */
public final class AdmitStage implements Stage {
  private final AtomicInteger inFlight = new AtomicInteger();
  private final int maxInFlight;
  private final BooleanSupplier closed;

  /**
   * @param closed true once the gateway only finishes what it has begun
   */
  public AdmitStage(int maxInFlight, BooleanSupplier closed) {
    this.maxInFlight = maxInFlight;
    this.closed = closed;
  }

  @Override
  public void apply(Exchange exchange) {
    if (closed.getAsBoolean()) {
      throw new S3Exception(
          S3Error.SERVICE_UNAVAILABLE, "This gateway is shutting down: try again.", Optional.of(Duration.ofSeconds(1)));
    }
    if (inFlight.incrementAndGet() > maxInFlight) {
      inFlight.decrementAndGet();
      throw new S3Exception(
          S3Error.SLOW_DOWN,
          "This gateway already serves " + maxInFlight + " requests (limits.max-in-flight): reduce your request rate.",
          Optional.of(Duration.ofSeconds(1)));
    }
  }

  /** Gives back the place that {@link #apply} took. */
  public void release() {
    inFlight.decrementAndGet();
  }

  public int inFlight() {
    return inFlight.get();
  }
}
