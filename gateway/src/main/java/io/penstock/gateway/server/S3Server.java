package io.penstock.gateway.server;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.penstock.config.LimitsConfig;
import io.penstock.config.ListenConfig;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.FailureStage;
import io.penstock.gateway.exchange.Pipeline;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Xml;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The S3 port on one event loop: accepts requests, hands each to the pipeline as an exchange, and
 * keeps watch over idle connections and impatient timeouts.
 *
 * <p>Threading: one instance per event loop; every instance listens on the same port.
 */
public final class S3Server {
  private static final long SWEEP_MILLIS = 1_000;
  private static final long DRAIN_SWEEP_MILLIS = 50;
  private static final long DRAIN_QUIET_NANOS = 250_000_000L;

  private final Vertx vertx;
  private final LimitsConfig limits;
  private final Pipeline pipeline;
  private final Supplier<String> requestIds;
  private final BooleanSupplier draining;
  private final Connections connections;
  private final HttpServer server;

  /**
   * A server that hands its requests to {@code pipeline}.
   *
   * @param requestIds a new unique id for each request
   * @param draining whether connections are to be closed after their current response
   */
  public S3Server(
      Vertx vertx,
      ListenConfig.S3Listener listener,
      LimitsConfig limits,
      Pipeline pipeline,
      Supplier<String> requestIds,
      BooleanSupplier draining) {
    this.vertx = vertx;
    this.limits = limits;
    this.pipeline = pipeline;
    this.requestIds = requestIds;
    this.draining = draining;
    this.connections = new Connections(listener.idleTimeout(), listener.readTimeout());
    this.server =
        vertx
            .createHttpServer(ServerOptions.of(listener, limits))
            .connectionHandler(connections::opened)
            .requestHandler(this::accept)
            .invalidRequestHandler(this::refuse);
  }

  /**
   * Completes with the port when connections are accepted.
   *
   * @param port the port to listen on; negative for a free one that instances given the same number
   *     share
   */
  public Future<Integer> listen(String host, int port) {
    return server
        .listen(port, host)
        .map(
            listening -> {
              vertx.setPeriodic(SWEEP_MILLIS, _ -> connections.sweep(System.nanoTime()));
              vertx.setPeriodic(DRAIN_SWEEP_MILLIS, _ -> sweepWhileDraining());
              return listening.actualPort();
            });
  }

  private void sweepWhileDraining() {
    if (draining.getAsBoolean()) {
      connections.closeIdle(System.nanoTime(), DRAIN_QUIET_NANOS);
    }
  }

  /**
   * Takes certificate, key and client authorities from their files again; fails and keeps the old
   * ones if they are no use.
   */
  public Future<Boolean> renewTls(ListenConfig.S3Listener listener) {
    return server.updateSSLOptions(ServerOptions.of(listener, limits).getSslOptions(), true);
  }

  public int openConnections() {
    return connections.open();
  }

  public int activeRequests() {
    return connections.active();
  }

  public Future<Void> close() {
    return server.close();
  }

  private void accept(HttpServerRequest request) {
    VertxClientBody body = new VertxClientBody(request, connections.tap(request.connection()));
    ClientExchange[] self = new ClientExchange[1];
    VertxClientResponse response =
        new VertxClientResponse(
            vertx, request, body, draining, () -> connections.ended(request.connection(), self[0]));
    Exchange exchange =
        new Exchange(
            requestIds.get(), head(request), remote(request), body, response, System.nanoTime());
    self[0] = new ClientExchange(exchange, body, response);
    connections.begun(request.connection(), self[0]);
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().exceptionHandler(_ -> self[0].connectionClosed());
    }
    request.response().closeHandler(_ -> self[0].connectionClosed());
    request.exceptionHandler(_ -> self[0].connectionClosed());
    if (body.length() == 0) {
      body.continueIfExpected();
    }
    pipeline.run(exchange);
  }

  private static RequestHead head(HttpServerRequest request) {
    HttpFields.Builder fields = HttpFields.builder();
    String authority = "";
    if (request.version() == HttpVersion.HTTP_2 && request.authority() != null) {
      authority = request.authority().toString();
      fields.add("host", authority);
    }
    for (Map.Entry<String, String> field : request.headers()) {
      // a host beside the authority says the same (RFC 9113, 8.3.1), or Vert.x has reset the stream
      boolean repeated =
          field.getKey().equalsIgnoreCase("host") && field.getValue().equals(authority);
      if (!repeated) {
        fields.add(field.getKey(), field.getValue());
      }
    }
    return new RequestHead(request.method().name(), request.uri(), fields.build());
  }

  private static String remote(HttpServerRequest request) {
    var address = request.remoteAddress();
    return address == null || address.hostAddress() == null ? "-" : address.hostAddress();
  }

  /**
   * What HTTP itself could not read is answered like everything else: S3 XML with a request id,
   * then the end.
   */
  private void refuse(HttpServerRequest request) {
    Throwable cause =
        request instanceof HttpServerRequestInternal internal
            ? internal.decoderResult().cause()
            : null;
    S3Error error =
        switch (cause) {
          case TooLongHttpLineException _ -> S3Error.INVALID_URI;
          case TooLongHttpHeaderException _ -> S3Error.REQUEST_HEADER_SECTION_TOO_LARGE;
          case null, default -> S3Error.BAD_REQUEST;
        };
    String requestId = requestIds.get();
    String message =
        cause == null || cause.getMessage() == null
            ? "The request could not be read as HTTP."
            : "The request could not be read as HTTP: " + cause.getMessage();
    byte[] xml = S3Xml.error(error.code(), message, "", requestId, FailureStage.HOST_ID);
    VertxClientBody body = VertxClientBody.unreadable(request);
    VertxClientResponse response =
        new VertxClientResponse(vertx, request, body, () -> true, () -> {});
    response.head(
        new ResponseHead(
            error.status(),
            HttpFields.of(
                "content-type",
                "application/xml",
                "content-length",
                Integer.toString(xml.length),
                "x-amz-request-id",
                requestId)));
    response.end(Unpooled.wrappedBuffer(xml));
  }
}
