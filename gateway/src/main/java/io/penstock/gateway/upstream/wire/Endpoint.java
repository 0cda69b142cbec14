package io.penstock.gateway.upstream.wire;

import java.net.URI;

/**
 * Where a store listens.
 *
 * @param host a name or an IP literal, an IPv6 literal without brackets
 */
public record Endpoint(boolean tls, String host, int port) {

  /**
   * Reads {@code http://host[:port]} or {@code https://host[:port]}.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static Endpoint of(URI uri) {
    boolean tls = "https".equalsIgnoreCase(uri.getScheme());
    String host = uri.getHost();
    if ((!tls && !"http".equalsIgnoreCase(uri.getScheme())) || host == null) {
      throw new IllegalArgumentException(
          "'" + uri + "' is no endpoint; write http://host:port or https://host:port");
    }
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return new Endpoint(tls, bare, uri.getPort() >= 0 ? uri.getPort() : (tls ? 443 : 80));
  }

  /** The value of the Host field: the port is left out where it is the scheme's own. */
  public String authority() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == (tls ? 443 : 80) ? name : name + ":" + port;
  }

  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority();
  }
}
