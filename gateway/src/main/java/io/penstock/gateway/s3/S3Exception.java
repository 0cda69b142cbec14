package io.penstock.gateway.s3;

import java.time.Duration;
import java.util.Optional;

/**
 * A failure that is answered with an S3 error; the message tells the reader what to do about it.
 */
public final class S3Exception extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final S3Error error;
  private final transient Optional<Duration> retryAfter;

  public S3Exception(S3Error error, String message) {
    this(error, message, Optional.empty());
  }

  public S3Exception(S3Error error, String message, Optional<Duration> retryAfter) {
    super(message, null, false, false);
    this.error = error;
    this.retryAfter = retryAfter;
  }

  public S3Error error() {
    return error;
  }

  /** How long the client should wait, for throttling and unavailability. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
