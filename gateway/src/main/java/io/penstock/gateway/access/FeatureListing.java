package io.penstock.gateway.access;

import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.route.Reply;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.function.LongSupplier;

/**
 * Lists the bucket behind an access point, with the lengths and ETags that GET will give: clients
 * go by them when they divide downloads or look for what has changed.
 *
 * <p>Threading: the event loop.
 */
final class FeatureListing {
  private final StoreSide store;
  private final FeatureMaker maker;
  private final LongSupplier maxDocument;

  FeatureListing(StoreSide store, FeatureMaker maker, LongSupplier maxDocument) {
    this.store = store;
    this.maker = maker;
    this.maxDocument = maxDocument;
  }

  Future<Void> serve(Exchange exchange, AccessPointConfig point) {
    S3Target behind = new S3Target(point.bucket(), "", exchange.request().target().query());
    return maker
        .describe(point)
        .compose(
            object ->
                store
                    .send(exchange, behind)
                    .compose(
                        answer ->
                            answer.head().status() == 200
                                ? rewritten(exchange, object, answer)
                                : Reply.pass(exchange, answer)));
  }

  private Future<Void> rewritten(Exchange exchange, FeatureObject object, UpstreamResponse answer) {
    return BodyCollector.collect(answer.body(), maxDocument.getAsLong())
        .compose(
            xml ->
                Reply.document(
                    exchange,
                    new ResponseHead(200, ForwardedFields.response(answer.head())),
                    S3Xml.renamedListing(
                        xml, object.point().name(), object.file().length(), object::etag)));
  }
}
