package io.penstock.gateway.route;

import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.tenant.Policy;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.function.LongSupplier;

/**
 * ListBuckets: the store lists what its own account sees; the tenant gets what its policy lets it
 * see.
 */
public final class ListBucketsRoute implements Route {
  private final UpstreamChannel upstream;
  private final LongSupplier maxDocument;

  /**
   * A route to this store.
   *
   * @param maxDocument largest listing that is read whole, bytes
   */
  public ListBucketsRoute(UpstreamChannel upstream, LongSupplier maxDocument) {
    this.upstream = upstream;
    this.maxDocument = maxDocument;
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    var request = exchange.request();
    return upstream
        .send(
            new UpstreamRequest(
                request.operation().name(),
                exchange.head().method(),
                request.target(),
                ForwardedFields.request(exchange.head(), request.operation()),
                new UpstreamBody.None(),
                Digests.EMPTY_SHA256,
                true,
                exchange.cancellation()))
        .compose(
            answer ->
                answer.head().status() == 200
                    ? filtered(exchange, answer)
                    : Reply.pass(exchange, answer));
  }

  private Future<Void> filtered(Exchange exchange, UpstreamResponse answer) {
    Policy policy = exchange.tenant().policy();
    HttpFields fields = ForwardedFields.response(answer.head());
    return BodyCollector.collect(answer.body(), maxDocument.getAsLong())
        .compose(
            xml ->
                Reply.document(
                    exchange,
                    new ResponseHead(200, fields),
                    S3Xml.filterBuckets(xml, policy::mayList)));
  }
}
