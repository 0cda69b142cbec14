package io.penstock.gateway.upstream;

import io.penstock.config.UpstreamConfig;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.s3.UriEncoding;
import io.penstock.gateway.upstream.wire.Endpoint;
import java.util.regex.Pattern;

/**
 * Puts a target into the words of one endpoint. The host is the endpoint's, perhaps with the bucket
 * before it; nothing else ever gets into it. A bucket that is no DNS label stays in the path.
 *
 * <p>Threading: immutable.
 */
final class Addressing {
  private static final Pattern DNS_NAME =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
  private static final int MAX_LABEL = 63;

  private final String authority;
  private final boolean virtualHost;

  /**
   * An address on the wire.
   *
   * @param host value of the Host field
   * @param path encoded once by S3's rules
   * @param query encoded, without {@code ?}, or empty
   */
  record Address(String host, String path, String query) {
    String target() {
      return query.isEmpty() ? path : path + '?' + query;
    }
  }

  Addressing(Endpoint endpoint, UpstreamConfig.Addressing style) {
    this.authority = endpoint.authority();
    this.virtualHost = style == UpstreamConfig.Addressing.VIRTUAL_HOST;
  }

  Address of(S3Target target) {
    String query = target.query().encoded();
    if (target.isService()) {
      return new Address(authority, "/", query);
    }
    String bucket = target.bucket();
    String key = target.isObject() ? '/' + UriEncoding.encodePath(target.key()) : "";
    if (virtualHost && bucket.length() <= MAX_LABEL && DNS_NAME.matcher(bucket).matches()) {
      return new Address(bucket + '.' + authority, key.isEmpty() ? "/" : key, query);
    }
    return new Address(authority, '/' + UriEncoding.encode(bucket) + key, query);
  }
}
