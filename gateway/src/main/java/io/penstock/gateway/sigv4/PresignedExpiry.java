package io.penstock.gateway.sigv4;

import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.time.Duration;

/** Reads {@code X-Amz-Expires}: how long a presigned URL is good. */
final class PresignedExpiry {
  private static final Duration MAX = Duration.ofDays(7);

  private PresignedExpiry() {}

  static Duration of(CanonicalQuery query) {
    String text = query.count("X-Amz-Expires") == 1 ? query.get("X-Amz-Expires").orElse("") : "";
    long seconds;
    try {
      seconds = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw error("X-Amz-Expires must be there once and be a number of seconds.");
    }
    if (seconds < 0) {
      throw error("X-Amz-Expires must be non-negative.");
    }
    if (seconds > MAX.toSeconds()) {
      throw error("X-Amz-Expires must be less than a week (in seconds): at most 604800.");
    }
    return Duration.ofSeconds(seconds);
  }

  private static S3Exception error(String message) {
    return new S3Exception(S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR, message);
  }
}
