package io.penstock.gateway.s3;

import io.penstock.gateway.http.RequestHead;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Reads bucket and key from the Host field and the path: virtual-host style if the host is {@code
 * bucket.DOMAIN} for a configured domain, else path style. The path is decoded once and nothing of
 * it is normalised.
 *
 * <p>Threading: immutable.
 */
final class RequestAddress {
  /** Bucket and key, either may be empty. */
  record Location(String bucket, String key) {}

  private final List<String> domains;

  RequestAddress(List<String> domains) {
    // the longest first: one domain may end in another
    this.domains =
        domains.stream()
            .map(domain -> hostName(domain))
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  Location of(RequestHead head) {
    List<String> hosts = head.fields().all("host");
    if (hosts.size() > 1) {
      throw new S3Exception(S3Error.INVALID_REQUEST, "The request has more than one Host field");
    }
    String host = hosts.isEmpty() ? "" : hosts.getFirst();
    String path = UriEncoding.decodePath(originForm(head.rawPath(), host));
    String bucket = bucketOf(hostName(host));
    if (!bucket.isEmpty()) {
      return new Location(bucket, path.substring(1));
    }
    int slash = path.indexOf('/', 1);
    return slash < 0
        ? new Location(path.substring(1), "")
        : new Location(path.substring(1, slash), path.substring(slash + 1));
  }

  /** The path of an origin-form or absolute-form target, beginning with a slash. */
  private static String originForm(String rawPath, String host) {
    if (rawPath.startsWith("/")) {
      return rawPath;
    }
    int scheme = rawPath.indexOf("://");
    if (scheme < 0 || !rawPath.substring(0, scheme).toLowerCase(Locale.ROOT).matches("https?")) {
      throw new S3Exception(
          S3Error.INVALID_URI, "The request target must be a path that begins with a slash");
    }
    int slash = rawPath.indexOf('/', scheme + 3);
    String authority = rawPath.substring(scheme + 3, slash < 0 ? rawPath.length() : slash);
    // only the Host field is signed: another authority could name another bucket
    if (!hostName(authority).equals(hostName(host))) {
      throw new S3Exception(
          S3Error.INVALID_URI, "The host of the request target is not that of the Host field");
    }
    return slash < 0 ? "/" : rawPath.substring(slash);
  }

  private String bucketOf(String host) {
    for (String domain : domains) {
      if (host.equals(domain)) {
        return "";
      }
      if (host.endsWith("." + domain)) {
        return host.substring(0, host.length() - domain.length() - 1);
      }
    }
    return "";
  }

  /** In lower case, without port and without the dot of the root. */
  private static String hostName(String host) {
    int colon = host.lastIndexOf(':');
    // an IPv6 address has colons of its own, inside brackets
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
