package io.penstock.gateway.app;

import io.penstock.config.ListenConfig;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.server.S3Server;
import io.penstock.gateway.upstream.UpstreamChannels;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's share of the gateway: its own pipeline, upstream connections and server on the
 * common port.
 */
final class GatewayVerticle extends VerticleBase {

  private static final int TICK_MILLIS = 20;

  /** What one event loop owns and closes. */
  record Parts(S3Server server, ObjectReader reader, UpstreamChannels.OpenChannel store) {}

  private final Function<GatewayVerticle, Parts> parts;
  private final String host;
  private final int port;
  private @Nullable Parts running;
  private final Lateness lateness = new Lateness(TICK_MILLIS * 1_000_000L);
  private volatile int openConnections;
  private volatile int actualPort;

  /**
   * A verticle that listens on this address.
   *
   * @param parts builds the server on this verticle's event loop
   */
  GatewayVerticle(Function<GatewayVerticle, Parts> parts, String host, int port) {
    this.parts = parts;
    this.host = host;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    Parts started = parts.apply(this);
    running = started;
    vertx.setPeriodic(
        TICK_MILLIS,
        _ -> {
          openConnections = started.server().openConnections();
          lateness.tick(System.nanoTime());
        });
    return started.server().listen(host, port).onSuccess(taken -> actualPort = taken);
  }

  @Override
  public Future<?> stop() {
    Parts ending = running;
    if (ending == null) {
      return Future.succeededFuture();
    }
    ending.reader().close();
    ending.store().close();
    return ending.server().close();
  }

  /**
   * From any thread: new connections use the certificate and authorities that the files hold now.
   * Fails, and keeps the old ones, if these are no use.
   */
  Future<Void> renewTls(ListenConfig.S3Listener listener) {
    Promise<Void> renewed = Promise.promise();
    context.runOnContext(
        _ -> {
          Parts current = running;
          if (current == null) {
            renewed.complete();
          } else {
            current.server().renewTls(listener).<Void>mapEmpty().onComplete(renewed);
          }
        });
    return renewed.future();
  }

  Vertx vertx() {
    return vertx;
  }

  Context context() {
    return context;
  }

  /** As of at most 20 ms ago, from any thread. */
  int openConnections() {
    return openConnections;
  }

  /** How late the loop came to its turn at worst in the last seconds; from any thread. */
  double lateSeconds() {
    return lateness.seconds();
  }

  int actualPort() {
    return actualPort;
  }
}
