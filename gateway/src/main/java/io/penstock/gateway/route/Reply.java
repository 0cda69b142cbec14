package io.penstock.gateway.route;

import io.netty.buffer.Unpooled;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/** Passes the store's answer on: its head without what belongs to one hop, its body as it comes. */
public final class Reply {
  private Reply() {}

  public static Future<Void> pass(Exchange exchange, UpstreamResponse answer) {
    if (exchange.cancellation().isCancelled()) {
      answer.body().cancel();
      return Future.failedFuture(new UpstreamFailure.Cancelled(true));
    }
    try {
      head(
          exchange,
          new ResponseHead(answer.head().status(), ForwardedFields.response(answer.head())));
    } catch (RuntimeException unsendable) {
      answer.body().cancel();
      throw unsendable;
    }
    boolean headOnly = exchange.head().method().equals("HEAD");
    if (headOnly || answer.body().length() == 0) {
      // there is nothing to pass on; reading to the end keeps the connection
      answer.body().start(Relay.IGNORE);
      return exchange.response().end();
    }
    return Relay.send(exchange, answer.body());
  }

  /** Sends a body that the gateway has made itself from the store's answer. */
  public static Future<Void> document(Exchange exchange, ResponseHead head, byte[] body) {
    HttpFields fields =
        head.fields()
            .without(name -> name.equalsIgnoreCase("etag") || name.equalsIgnoreCase("content-md5"))
            .with("content-length", Integer.toString(body.length));
    head(exchange, new ResponseHead(head.status(), fields));
    return exchange.response().end(Unpooled.wrappedBuffer(body));
  }

  /** Sets the head, with the ids of the request. */
  public static void head(Exchange exchange, ResponseHead head) {
    HttpFields.Builder fields = head.fields().toBuilder();
    fields.set("x-penstock-request-id", exchange.requestId());
    if (!head.fields().has("x-amz-request-id")) {
      fields.add("x-amz-request-id", exchange.requestId());
    }
    exchange.answered(head.status(), "");
    exchange.response().head(new ResponseHead(head.status(), fields.build()));
  }
}
