package io.penstock.gateway.batch;

import io.penstock.arrow.wire.Item;
import io.penstock.config.TenantConfig.Access;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.AccessNeed;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.tenant.AccessDecision;
import io.penstock.gateway.tenant.Policy;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamRequest;
import java.util.List;
import java.util.Optional;

/**
 * Reads the items of one stream that its tenant may read; any other is an item that failed.
 *
 * <p>Threading: the event loop of the object reader.
 */
final class ItemReader {
  static final String OPERATION = "GetObject";
  static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final ObjectReader objects;
  private final String bucket;
  private final Policy policy;
  private final Cancellation cancellation;

  ItemReader(ObjectReader objects, String bucket, Policy policy, Cancellation cancellation) {
    this.objects = objects;
    this.bucket = bucket;
    this.policy = policy;
    this.cancellation = cancellation;
  }

  /** Starts the reading of an item; {@code read} hears of it, perhaps before this returns. */
  void start(Item item, ItemRead read) {
    AccessNeed need = AccessNeed.object(bucket, item.key(), Access.READ);
    if (policy.decide(List.of(need)) instanceof AccessDecision.Denied(var reason)) {
      read.fail(StoreAnswers.of(S3Error.ACCESS_DENIED, reason));
    } else if (item.member().isPresent()) {
      read.fail(
          StoreAnswers.of(
              S3Error.NOT_IMPLEMENTED,
              "members of archives are not read yet: ask for a range of the archive"));
    } else {
      objects
          .read(get(bucket, item.key(), item.versionId(), fields(item), cancellation))
          .onComplete(read::answered);
    }
  }

  private static HttpFields fields(Item item) {
    return item.range()
        .map(
            range ->
                HttpFields.of(
                    "range",
                    "bytes=" + range.offset() + "-" + (range.offset() + range.length() - 1)))
        .orElse(HttpFields.EMPTY);
  }

  static UpstreamRequest get(
      String bucket,
      String key,
      Optional<String> versionId,
      HttpFields fields,
      Cancellation cancellation) {
    Query query =
        new Query(
            versionId.map(version -> new Query.Parameter("versionId", version)).stream().toList());
    return new UpstreamRequest(
        OPERATION,
        "GET",
        new S3Target(bucket, key, query),
        fields,
        new UpstreamBody.None(),
        EMPTY_SHA256,
        true,
        cancellation);
  }
}
