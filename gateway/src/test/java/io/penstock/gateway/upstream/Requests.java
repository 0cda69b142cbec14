package io.penstock.gateway.upstream;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import java.nio.charset.StandardCharsets;

/** Requests and responses that tests of this package need. */
final class Requests {
  static final UpstreamBody NONE = new UpstreamBody.None();

  private Requests() {}

  static UpstreamRequest get(String bucket, String key) {
    return of("GET", bucket, key, NONE, true, new Cancellation());
  }

  static UpstreamRequest of(
      String method,
      String bucket,
      String key,
      UpstreamBody body,
      boolean idempotent,
      Cancellation cancellation) {
    return new UpstreamRequest(
        "Operation",
        method,
        new S3Target(bucket, key, Query.EMPTY),
        HttpFields.EMPTY,
        body,
        "UNSIGNED-PAYLOAD",
        idempotent,
        cancellation);
  }

  static UpstreamResponse answer(int status, String body, String... fields) {
    return new UpstreamResponse(
        new ResponseHead(status, HttpFields.of(fields)),
        SmallBody.of(body.getBytes(StandardCharsets.UTF_8)));
  }
}
