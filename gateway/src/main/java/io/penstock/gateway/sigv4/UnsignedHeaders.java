package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses {@code x-amz-*} fields that somebody added to a signed request: the gateway would sign
 * them again with its own key, and so give them a weight the client never gave them.
 *
 * <p>Threading: stateless.
 */
final class UnsignedHeaders {
  private static final String PREFIX = "x-amz-";

  /**
   * In no need of a listing: the first two are part of every signature by their value, the others
   * ask the store for nothing and are left unsigned by some SDKs (PHP) and added by some networks
   * (CloudFront).
   */
  private static final Set<String> EXEMPT =
      Set.of("x-amz-content-sha256", "x-amz-date", "x-amz-user-agent", "x-amz-cf-id");

  private UnsignedHeaders() {}

  static void check(HttpFields fields, List<String> signedHeaders) {
    List<String> unsigned = new ArrayList<>(0);
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i);
      if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!signedHeaders.contains(lower) && !EXEMPT.contains(lower)) {
          unsigned.add(lower);
        }
      }
    }
    if (!unsigned.isEmpty()) {
      throw new S3Exception(
          S3Error.ACCESS_DENIED,
          "There were headers present in the request which were not signed: "
              + String.join(", ", unsigned)
              + ". Sign every x-amz-* header, or leave it out.");
    }
  }
}
