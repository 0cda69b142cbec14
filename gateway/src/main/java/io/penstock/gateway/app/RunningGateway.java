package io.penstock.gateway.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A gateway that serves. Ends by {@link #drain} (finish what has begun) or {@link #close} (at
 * once).
 */
public final class RunningGateway {
  private static final long POLL_MILLIS = 20;

  /** Longer than the event loops take to report a connection. */
  private static final long SETTLE_NANOS = 200_000_000L;

  private final Vertx vertx;
  private final Addresses addresses;
  private final Lifecycle lifecycle;
  private final List<GatewayVerticle> loops;
  private final ConfigStatus configuration;
  private final Runnable release;
  private final Supplier<Duration> drainTimeout;

  /** The two ports, with the numbers that were really taken. */
  record Addresses(URI s3, URI admin) {}

  /**
   * @param release gives back what outlives the event loops
   */
  RunningGateway(
      Vertx vertx,
      Addresses addresses,
      Lifecycle lifecycle,
      List<GatewayVerticle> loops,
      ConfigStatus configuration,
      Runnable release,
      Supplier<Duration> drainTimeout) {
    this.vertx = vertx;
    this.addresses = addresses;
    this.lifecycle = lifecycle;
    this.loops = loops;
    this.configuration = configuration;
    this.release = release;
    this.drainTimeout = drainTimeout;
  }

  /** Who follows the configuration file tells this what came of it. */
  public ConfigStatus configuration() {
    return configuration;
  }

  /** Where clients connect, with the port that was really taken. */
  public URI s3() {
    return addresses.s3();
  }

  /** Health, metrics, runtime report. */
  public URI admin() {
    return addresses.admin();
  }

  /**
   * Not ready from now on; every connection ends after its current response; completes when nothing
   * is in flight and no connection is open, or when the drain timeout has passed, and everything is
   * closed.
   */
  public Future<Void> drain() {
    lifecycle.drain();
    long begun = System.nanoTime();
    long deadline = begun + drainTimeout.get().toNanos();
    return Future.<Void>future(
            promise ->
                vertx.setPeriodic(
                    POLL_MILLIS,
                    id -> {
                      long now = System.nanoTime();
                      boolean quiet =
                          now - begun > SETTLE_NANOS
                              && loops.stream().allMatch(loop -> loop.openConnections() == 0);
                      if (quiet || now - deadline > 0) {
                        vertx.cancelTimer(id);
                        promise.complete();
                      }
                    }))
        .compose(_ -> close());
  }

  /** Ends at once; requests in flight are broken off. */
  public Future<Void> close() {
    lifecycle.drain();
    return vertx.close().onComplete(_ -> release.run());
  }
}
