package io.penstock.gateway.exchange;

/**
 * One step between a request's head and its route. Completes at once; whatever waits belongs in a
 * route.
 */
@FunctionalInterface
public interface Stage {

  /**
   * Adds what this stage knows to the exchange.
   *
   * @throws io.penstock.gateway.s3.S3Exception when the request must be refused
   */
  void apply(Exchange exchange);
}
