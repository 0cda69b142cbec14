package io.penstock.gateway.exchange;

import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Is there room? Bounds the requests in flight over all event loops and charges each one's body
 * window to the memory budget; whoever does not fit is told to slow down.
 *
 * <p>Threading: shared by all event loops.
 */
public final class AdmitStage implements Stage {
  private static final Optional<Duration> RETRY = Optional.of(Duration.ofSeconds(1));
  private final AtomicInteger inFlight = new AtomicInteger();
  private final IntSupplier maxInFlight;
  private final BodyWindows windows;

  public AdmitStage(IntSupplier maxInFlight, BodyWindows windows) {
    this.maxInFlight = maxInFlight;
    this.windows = windows;
  }

  /** A request that passes must be given back by {@link #release}. */
  @Override
  public void apply(Exchange exchange) {
    int most = maxInFlight.getAsInt();
    if (inFlight.incrementAndGet() > most) {
      inFlight.decrementAndGet();
      throw new S3Exception(
          S3Error.SLOW_DOWN,
          "This gateway already serves "
              + most
              + " requests (limits.max-in-flight): reduce your request rate.",
          RETRY);
    }
    Optional<BodyWindows.Window> window = windows.open();
    if (window.isEmpty()) {
      inFlight.decrementAndGet();
      throw new S3Exception(
          S3Error.SLOW_DOWN,
          "This gateway's memory budget is taken (runtime.memory-budget): reduce your request rate.",
          RETRY);
    }
    exchange.admitted(window.get());
  }

  /** Gives back what {@link #apply} took for this exchange. */
  public void release(Exchange exchange) {
    exchange.window().close();
    inFlight.decrementAndGet();
  }

  public int inFlight() {
    return inFlight.get();
  }
}
