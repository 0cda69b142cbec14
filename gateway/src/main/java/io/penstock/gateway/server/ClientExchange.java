package io.penstock.gateway.server;

import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;

/**
 * One request on a client connection: ties the exchange to the connection's life and to the
 * client's patience.
 */
final class ClientExchange {
  private final Exchange exchange;
  private final VertxClientBody body;
  private final VertxClientResponse response;

  ClientExchange(Exchange exchange, VertxClientBody body, VertxClientResponse response) {
    this.exchange = exchange;
    this.body = body;
    this.response = response;
  }

  /** The connection or stream is gone, whoever ended it. */
  void connectionClosed() {
    exchange.cancellation().cancel();
    body.connectionLost();
  }

  /** Gives up on a client that neither sends what it announced nor takes what it asked for. */
  void checkPatience(long now, long patienceNanos) {
    long waiting = body.waitingSince();
    if (waiting != 0 && now - waiting > patienceNanos) {
      body.fail(
          new S3Exception(
              S3Error.REQUEST_TIMEOUT,
              "Your socket connection to the server was not read from or written to within the timeout period."));
    }
    long blocked = response.blockedSince();
    if (blocked != 0 && now - blocked > patienceNanos) {
      exchange.cancellation().cancel();
      response.reset();
    }
  }
}
