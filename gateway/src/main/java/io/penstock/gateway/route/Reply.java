package io.penstock.gateway.route;

import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/** Passes the store's answer on: its head without what belongs to one hop, its body as it comes. */
final class Reply {
  private Reply() {}

  static Future<Void> pass(Exchange exchange, UpstreamResponse answer) {
    ResponseHead head = answer.head();
    HttpFields.Builder fields = ForwardedFields.toClient(head).toBuilder();
    fields.set("x-penstock-request-id", exchange.requestId());
    if (!head.fields().has("x-amz-request-id")) {
      fields.add("x-amz-request-id", exchange.requestId());
    }
    if (exchange.cancellation().isCancelled()) {
      answer.body().cancel();
      return Future.failedFuture("the client has gone");
    }
    exchange.answered(head.status(), "");
    exchange.response().head(new ResponseHead(head.status(), fields.build()));
    if (answer.body().length() == 0 || exchange.head().method().equals("HEAD")) {
      answer.body().cancel();
      exchange.response().end();
      return Future.succeededFuture();
    }
    return Relay.send(exchange, answer.body());
  }
}
