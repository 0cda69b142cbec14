package io.penstock.gateway.route;

import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.s3.S3Operation;
import io.vertx.core.Future;

/** Which route serves which operation. The switch is complete: a new operation does not compile until it has a place here. */
public final class Router implements Route {
  private final Route read;
  private final Route forward;

  public Router(Route read, Route forward) {
    this.read = read;
    this.forward = forward;
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    return switch (exchange.request().operation()) {
      case S3Operation.GetObject _ -> read.handle(exchange);
      case S3Operation _ -> forward.handle(exchange);
    };
  }
}
