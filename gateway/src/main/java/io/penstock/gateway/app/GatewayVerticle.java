package io.penstock.gateway.app;

import io.penstock.config.ListenConfig;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.server.S3Server;
import io.penstock.gateway.upstream.UpstreamChannels;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's share of the gateway: its own pipeline, upstream connections and server on the
 * common port.
 */
final class GatewayVerticle extends VerticleBase {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayVerticle.class);

  /** What one event loop owns and closes. */
  record Parts(S3Server server, ObjectReader reader, UpstreamChannels.OpenChannel store) {}

  private final Function<GatewayVerticle, Parts> parts;
  private final String host;
  private final int port;
  private @Nullable Parts running;
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
    vertx.setPeriodic(20, _ -> openConnections = started.server().openConnections());
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
   */
  void renewTls(ListenConfig.S3Listener listener) {
    context.runOnContext(
        _ -> {
          Parts current = running;
          if (current != null) {
            current
                .server()
                .renewTls(listener)
                .onFailure(
                    cause -> LOG.error("The new certificate is not used: {}", cause.getMessage()));
          }
        });
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

  int actualPort() {
    return actualPort;
  }
}
