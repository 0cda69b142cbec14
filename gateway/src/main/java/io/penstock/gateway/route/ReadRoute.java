package io.penstock.gateway.route;

import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.s3.S3Request;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.vertx.core.Future;

/** Reads objects through the object reader, which goes on where a broken connection stopped. */
public final class ReadRoute implements Route {
  private final ObjectReader reader;

  public ReadRoute(ObjectReader reader) {
    this.reader = reader;
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    S3Request request = exchange.request();
    return reader
        .read(
            new UpstreamRequest(
                request.operation().name(),
                exchange.head().method(),
                request.target(),
                ForwardedFields.request(exchange.head(), request.operation()),
                new UpstreamBody.None(),
                Digests.EMPTY_SHA256,
                true,
                exchange.cancellation()))
        .compose(answer -> Reply.pass(exchange, answer));
  }
}
