package io.penstock.gateway.sigv4;

import io.penstock.gateway.s3.S3Error;

/** What the signature of a request says. */
public sealed interface Authentication {

  /**
   * Signed by the owner of {@code accessKey}; the body must turn out to be what {@code payload}
   * claims.
   */
  record Verified(String accessKey, PayloadClaim payload) implements Authentication {}

  /** No signature at all (no Authorization field, no X-Amz-Signature or Signature parameter). */
  record Anonymous(PayloadClaim payload) implements Authentication {}

  /**
   * Signed wrongly; answered with {@code error} and {@code message}, which never contains a secret.
   */
  record Refused(S3Error error, String message) implements Authentication {}
}
