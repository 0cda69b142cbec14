package io.penstock.gateway.batch;

import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.ItemList;
import io.penstock.arrow.wire.ItemSource;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.ManifestReader;
import io.penstock.config.BatchConfig;
import io.penstock.config.TenantConfig.Access;
import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.AccessNeed;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.tenant.AccessDecision;
import io.penstock.gateway.tenant.Policy;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.io.ByteArrayInputStream;
import java.util.List;

/**
 * Finds the items of a request: those that it names, those that a manifest names, or those that
 * begin with a prefix. What the tenant may not see as a whole (the bucket, the manifest, the
 * listing) is refused as a whole.
 *
 * <p>Threading: the event loop.
 */
final class ItemSources {
  private final ObjectReader objects;
  private final PrefixListing listing;
  private final RequestParsing parsing;

  ItemSources(ObjectReader objects, UpstreamChannel store, RequestParsing parsing) {
    this.objects = objects;
    this.listing = new PrefixListing(store);
    this.parsing = parsing;
  }

  /** All items in their order. */
  Future<ItemList> items(
      BatchRequest request, Policy policy, BatchConfig config, Cancellation cancellation) {
    String bucket = request.bucket();
    require(policy, AccessNeed.bucket(bucket, Access.READ));
    return switch (request.source()) {
      case ItemSource.Listed(var items) -> Future.succeededFuture(items);
      case ItemSource.Prefix(var prefix) -> {
        require(policy, AccessNeed.listing(bucket, prefix, Access.READ));
        yield listing.list(bucket, prefix, config.maxItems(), cancellation);
      }
      case ItemSource.Manifest manifest -> {
        require(policy, AccessNeed.object(bucket, manifest.key(), Access.READ));
        yield manifest(bucket, manifest, config, cancellation);
      }
    };
  }

  private static void require(Policy policy, AccessNeed need) {
    if (policy.decide(List.of(need)) instanceof AccessDecision.Denied(var reason)) {
      throw new S3Exception(S3Error.ACCESS_DENIED, reason);
    }
  }

  private Future<ItemList> manifest(
      String bucket, ItemSource.Manifest manifest, BatchConfig config, Cancellation cancellation) {
    return objects
        .read(
            ItemReader.get(
                bucket, manifest.key(), manifest.versionId(), HttpFields.EMPTY, cancellation))
        .compose(answer -> document(answer, config))
        .compose(bytes -> parsing.onCodec(() -> read(bytes, config)));
  }

  private static Future<byte[]> document(UpstreamResponse answer, BatchConfig config) {
    int status = answer.head().status();
    Future<byte[]> body = BodyCollector.collect(answer.body(), config.maxManifest().bytes());
    return status == 200
        ? body
        : body.compose(
            document ->
                Future.failedFuture(refused("manifest", StoreAnswers.refused(status, document))));
  }

  private static ItemList read(byte[] bytes, BatchConfig config) throws Exception {
    ManifestReader reader = new ManifestReader(config.maxManifest().bytes(), config.maxItems());
    return switch (reader.read(new ByteArrayInputStream(bytes))) {
      case ManifestReader.Result.Read(var items) -> items;
      case ManifestReader.Result.Refused(var problem) -> {
        S3Exception refusal = RequestParsing.refusal(problem);
        throw new S3Exception(refusal.error(), "the manifest: " + refusal.getMessage());
      }
    };
  }

  static S3Exception refused(String what, ItemStatus.Failed status) {
    return StoreAnswers.exception(status, "the " + what + ": " + status.message());
  }
}
