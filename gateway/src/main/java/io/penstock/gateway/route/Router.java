package io.penstock.gateway.route;

import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Operation;
import io.vertx.core.Future;

/**
 * Which route serves which operation. The switch is complete: a new operation does not compile
 * until it has a place here.
 */
public final class Router implements Route {
  private final Route read;
  private final Route listBuckets;
  private final Route batch;
  private final Route forward;

  public Router(Route read, Route listBuckets, Route batch, Route forward) {
    this.read = read;
    this.listBuckets = listBuckets;
    this.batch = batch;
    this.forward = forward;
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    return switch (exchange.request().operation()) {
      case S3Operation.GetObject _ -> read.handle(exchange);
      case S3Operation.ListBuckets _ -> listBuckets.handle(exchange);
      case S3Operation.Batch _, S3Operation.Epoch _ -> batch.handle(exchange);
      case S3Operation.HeadObject _,
          S3Operation.Copy _,
          S3Operation.DeleteObjects _,
          S3Operation.Preflight _,
          S3Operation.Plain _ ->
          forward.handle(exchange);
      case S3Operation.Reserved(var path) ->
          Future.failedFuture(
              new S3Exception(
                  S3Error.NOT_IMPLEMENTED,
                  "This gateway has nothing at /-/" + path + "; paths below /-/ are its own."));
    };
  }
}
