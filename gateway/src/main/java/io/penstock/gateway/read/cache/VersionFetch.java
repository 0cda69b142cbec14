package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/**
 * Fetches bytes of exactly one version from the store, or fails.
 *
 * @param get a client's read of the object, for what else it says
 */
record VersionFetch(Loop loop, ObjectEntry entry, UpstreamRequest get) {

  /** Succeeds with a response whose body is exactly these bytes, both inclusive. */
  Future<UpstreamResponse> range(long first, long last, Cancellation cancellation) {
    HttpFields fields =
        CacheableRead.plain(get.fields()).toBuilder()
            .add("range", "bytes=" + first + "-" + last)
            .add("if-match", entry.etag())
            .build();
    return loop.fetcher()
        .fetch(with(get, fields, cancellation))
        .compose(response -> checked(response, first, last));
  }

  private Future<UpstreamResponse> checked(UpstreamResponse response, long first, long last) {
    boolean exact =
        response.head().status() == 206
            && response.body().length() == last - first + 1
            && response.head().fields().get("etag").filter(entry.etag()::equals).isPresent()
            && ContentRange.of(response.head().fields())
                .filter(new ContentRange(first, last, entry.length())::equals)
                .isPresent();
    if (exact) {
      return Future.succeededFuture(response);
    }
    response.body().cancel();
    return Future.failedFuture(
        new UpstreamFailure.Broken(
            "the object changed, or the store answered "
                + response.head().status()
                + " when asked for a part of it",
            true));
  }

  /** {@code get} with other fields. */
  static UpstreamRequest with(UpstreamRequest get, HttpFields fields, Cancellation cancellation) {
    return new UpstreamRequest(
        get.operation(),
        get.method(),
        get.target(),
        fields,
        get.body(),
        get.payloadSha256(),
        get.idempotent(),
        cancellation);
  }
}
