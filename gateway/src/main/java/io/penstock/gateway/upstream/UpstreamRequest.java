package io.penstock.gateway.upstream;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Target;

/**
 * One call to the store, before endpoint, addressing style and signature are chosen.
 *
 * @param operation S3 operation name for metrics, e.g. {@code GetObject}
 * @param fields what goes along, without Host, authorization, x-amz-date, x-amz-content-sha256,
 *     content-length and hop-by-hop fields
 * @param payloadSha256 lower-case hex SHA-256 of the body where it is known, or {@code
 *     UNSIGNED-PAYLOAD}
 * @param idempotent whether repeating the call has the same effect as making it once; only then,
 *     and only if the body can be replayed or nothing of it was sent, is a failed try repeated
 */
public record UpstreamRequest(
    String operation,
    String method,
    S3Target target,
    HttpFields fields,
    UpstreamBody body,
    String payloadSha256,
    boolean idempotent,
    Cancellation cancellation) {

  /** The same call, given up when {@code other} fires. */
  UpstreamRequest cancelledBy(Cancellation other) {
    return new UpstreamRequest(
        operation, method, target, fields, body, payloadSha256, idempotent, other);
  }
}
