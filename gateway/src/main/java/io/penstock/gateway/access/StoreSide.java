package io.penstock.gateway.access;

import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.Locale;

/**
 * The bucket behind an access point, asked on behalf of a client: for whole objects, without the
 * client's range and conditions, which are about the features.
 *
 * <p>Threading: the event loop.
 */
final class StoreSide {
  private static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final ObjectReader objects;
  private final UpstreamChannel store;

  StoreSide(ObjectReader objects, UpstreamChannel store) {
    this.objects = objects;
    this.store = store;
  }

  /** The object behind the one that was asked for. */
  Future<UpstreamResponse> get(Exchange exchange, AccessPointConfig point) {
    return objects.read(
        request(exchange, "GetObject", "GET", target(exchange, point), objectFields(exchange)));
  }

  /** Its head. */
  Future<UpstreamResponse> head(Exchange exchange, AccessPointConfig point) {
    return store.send(
        request(exchange, "HeadObject", "HEAD", target(exchange, point), objectFields(exchange)));
  }

  /** The client's request as it is, for another target. */
  Future<UpstreamResponse> send(Exchange exchange, S3Target target) {
    return store.send(
        request(
            exchange,
            exchange.request().operation().name(),
            exchange.head().method(),
            target,
            ForwardedFields.request(exchange.head(), exchange.request().operation())));
  }

  private static S3Target target(Exchange exchange, AccessPointConfig point) {
    S3Target asked = exchange.request().target();
    Query version =
        new Query(
            asked.query().parameters().stream()
                .filter(parameter -> parameter.name().equals("versionId"))
                .toList());
    return new S3Target(point.bucket(), asked.key(), version);
  }

  private static HttpFields objectFields(Exchange exchange) {
    return ForwardedFields.request(exchange.head(), exchange.request().operation())
        .without(field -> isAboutTheFeatures(field.toLowerCase(Locale.ROOT)));
  }

  private static boolean isAboutTheFeatures(String name) {
    return name.equals("range")
        || name.startsWith("if-")
        || name.equals("x-amz-checksum-mode")
        || name.equals("x-amz-te");
  }

  private static UpstreamRequest request(
      Exchange exchange, String operation, String method, S3Target target, HttpFields fields) {
    return new UpstreamRequest(
        operation,
        method,
        target,
        fields,
        new UpstreamBody.None(),
        EMPTY_SHA256,
        true,
        exchange.cancellation());
  }
}
