package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;

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
}
