package io.penstock.loadtest.sign;

/**
 * The chain of chunk signatures of one aws-chunked upload: each signature signs the one before it
 * (Amazon S3 API Reference, "Transferring Payload in Multiple Chunks").
 *
 * <p>Threading: one upload, one thread.
 */
public final class ChunkSigner {
  private final byte[] key;
  private final String stamp;
  private final String scope;
  private String previous;

  ChunkSigner(byte[] key, String stamp, String scope, String seed) {
    this.key = key;
    this.stamp = stamp;
    this.scope = scope;
    this.previous = seed;
  }

  /** The signature of the next chunk, whose data has this SHA-256 in hex. */
  public String next(String dataHash) {
    return chain("AWS4-HMAC-SHA256-PAYLOAD", RequestSigner.EMPTY_PAYLOAD + "\n" + dataHash);
  }

  /** The signature of the trailers, {@code name:value\n} each, after the empty chunk. */
  public String trailer(String trailers) {
    return chain("AWS4-HMAC-SHA256-TRAILER", Digests.sha256Hex(trailers));
  }

  private String chain(String algorithm, String hashes) {
    String toSign = String.join("\n", algorithm, stamp, scope, previous, hashes);
    previous = Digests.hex(Digests.hmac(key, toSign));
    return previous;
  }
}
