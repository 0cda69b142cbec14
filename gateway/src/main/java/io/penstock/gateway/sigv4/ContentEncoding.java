package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The {@code aws-chunked} token of {@code Content-Encoding}, which belongs to the way and not to
 * the object.
 *
 * <p>Threading: stateless.
 */
final class ContentEncoding {
  private static final String FIELD = "content-encoding";
  private static final String AWS_CHUNKED = "aws-chunked";

  private ContentEncoding() {}

  static boolean isAwsChunked(HttpFields fields) {
    return fields.all(FIELD).stream().anyMatch(ContentEncoding::isAwsChunked);
  }

  private static boolean isAwsChunked(String value) {
    for (String token : value.split(",", -1)) {
      if (token.strip().equalsIgnoreCase(AWS_CHUNKED)) {
        return true;
      }
    }
    return false;
  }

  /** {@code value} without the token; empty if nothing else is left. */
  static Optional<String> ofObject(String value) {
    if (!isAwsChunked(value)) {
      return Optional.of(value);
    }
    List<String> kept = new ArrayList<>();
    for (String token : value.split(",", -1)) {
      String coding = token.strip();
      if (!coding.isEmpty() && !coding.equalsIgnoreCase(AWS_CHUNKED)) {
        kept.add(coding);
      }
    }
    return kept.isEmpty() ? Optional.empty() : Optional.of(String.join(",", kept));
  }
}
