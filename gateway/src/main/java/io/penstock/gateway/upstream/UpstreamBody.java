package io.penstock.gateway.upstream;

import io.penstock.gateway.http.BodyStream;

/**
 * The body of a request to the store. It always has a length: S3 refuses chunked transfer coding.
 */
public sealed interface UpstreamBody {

  long length();

  /** No body; {@code Content-Length: 0} is sent where the method usually has one. */
  record None() implements UpstreamBody {
    @Override
    public long length() {
      return 0;
    }
  }

  /** Held whole, so a try can be repeated. */
  record Replayable(byte[] bytes) implements UpstreamBody {
    @Override
    public long length() {
      return bytes.length;
    }
  }

  /**
   * Passed through once. If the stream fails before its end, the connection to the store is closed
   * before the last byte was sent, so that the store cannot commit.
   */
  record Streaming(BodyStream stream, long length) implements UpstreamBody {}
}
