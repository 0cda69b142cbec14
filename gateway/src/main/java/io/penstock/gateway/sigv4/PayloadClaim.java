package io.penstock.gateway.sigv4;

import java.time.Instant;

/** What the signed head promises about the body ({@code x-amz-content-sha256}). */
public sealed interface PayloadClaim {

  /** The whole body has this lower-case hex SHA-256. */
  record Sha256(String hex) implements PayloadClaim {}

  /** Nothing is promised (UNSIGNED-PAYLOAD, presigned, anonymous). */
  record Unsigned() implements PayloadClaim {}

  /** aws-chunked, each chunk signed; with {@code trailer} a signed trailer follows. */
  record SignedChunks(ChunkSigning signing, boolean trailer) implements PayloadClaim {}

  /**
   * aws-chunked without chunk signatures, a trailer follows (STREAMING-UNSIGNED-PAYLOAD-TRAILER).
   */
  record UnsignedChunks() implements PayloadClaim {}

  /**
   * What the first chunk's signature chains to.
   *
   * @param scope {@code yyyyMMdd/region/s3/aws4_request}
   */
  record ChunkSigning(SigningKey key, Instant timestamp, String scope, String seedSignature) {}
}
