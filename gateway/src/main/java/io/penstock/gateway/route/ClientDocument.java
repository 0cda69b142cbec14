package io.penstock.gateway.route;

import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.BytesStream;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.sigv4.PayloadExpectations;
import io.penstock.gateway.sigv4.PayloadStreams;
import io.vertx.core.Future;

/** The body of a request as its signed head promised it, streamed or read whole. */
final class ClientDocument {
  private ClientDocument() {}

  /** Whether the head says how long the body is. */
  static boolean sized(Exchange exchange) {
    return exchange.body().length() >= 0 || PayloadExpectations.isFramed(exchange.payload());
  }

  /** The body without framing, checked as it goes by. */
  static BodyStream stream(Exchange exchange, long most) {
    return verified(exchange, exchange.head(), exchange.body(), most);
  }

  /** The whole body, checked; one without a length too. */
  static Future<byte[]> read(Exchange exchange, long most) {
    if (sized(exchange)) {
      return BodyCollector.collect(stream(exchange, most), most);
    }
    return BodyCollector.collect(exchange.body(), most)
        .compose(
            bytes -> {
              RequestHead head = exchange.head();
              RequestHead measured =
                  new RequestHead(
                      head.method(),
                      head.target(),
                      head.fields().with("content-length", Integer.toString(bytes.length)));
              return BodyCollector.collect(
                  verified(exchange, measured, new BytesStream(bytes), most), most);
            });
  }

  private static BodyStream verified(
      Exchange exchange, RequestHead head, BodyStream raw, long most) {
    return PayloadStreams.verified(
        raw, exchange.payload(), PayloadExpectations.from(head, exchange.payload(), most));
  }
}
