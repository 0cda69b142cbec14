package io.penstock.gateway.app;

import io.penstock.gateway.server.S3Server;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's share of the gateway: its own pipeline, upstream connections and server on the
 * common port.
 */
final class GatewayVerticle extends VerticleBase {
  private final Function<GatewayVerticle, S3Server> parts;
  private final String host;
  private final int port;
  private @Nullable S3Server server;
  private volatile int openConnections;
  private volatile int actualPort;

  /**
   * @param parts builds the server on this verticle's event loop
   */
  GatewayVerticle(Function<GatewayVerticle, S3Server> parts, String host, int port) {
    this.parts = parts;
    this.host = host;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    S3Server started = parts.apply(this);
    server = started;
    vertx.setPeriodic(20, _ -> openConnections = started.openConnections());
    return started.listen(host, port).onSuccess(taken -> actualPort = taken);
  }

  @Override
  public Future<?> stop() {
    S3Server running = server;
    return running == null ? Future.succeededFuture() : running.close();
  }

  io.vertx.core.Vertx vertx() {
    return vertx;
  }

  /** As of at most 20 ms ago, from any thread. */
  int openConnections() {
    return openConnections;
  }

  int actualPort() {
    return actualPort;
  }
}
