package io.penstock.gateway.exchange;

import io.vertx.core.Future;

/** Serves one kind of operation. */
@FunctionalInterface
public interface Route {

  /**
   * Completes when the last byte of the response was handed over; a failure is answered by the
   * pipeline.
   */
  Future<Void> handle(Exchange exchange);
}
