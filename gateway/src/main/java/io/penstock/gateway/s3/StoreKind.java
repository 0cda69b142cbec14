package io.penstock.gateway.s3;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/** Whose store it is: decides which operations can be sent to it without harm. */
public enum StoreKind {
  /** Amazon S3 itself, which knows every operation. */
  AMAZON,
  /** Any other; it may take a request with a sub-resource it does not know for the plain one. */
  OTHER;

  /** The kind of the store at these endpoints. */
  public static StoreKind of(List<URI> endpoints) {
    return endpoints.stream().allMatch(StoreKind::isAmazon) ? AMAZON : OTHER;
  }

  private static boolean isAmazon(URI endpoint) {
    String host = endpoint.getHost() == null ? "" : endpoint.getHost().toLowerCase(Locale.ROOT);
    return host.endsWith(".amazonaws.com") || host.endsWith(".amazonaws.com.cn");
  }
}
