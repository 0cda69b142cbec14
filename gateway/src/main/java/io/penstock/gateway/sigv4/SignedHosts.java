package io.penstock.gateway.sigv4;

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which names a client may have signed for the {@code Host} that arrived: the same with or without
 * a default port, and the public name where a proxy in front puts its own. A bucket in the host
 * name is kept in every alternative: a signature for one bucket never becomes one for another.
 *
 * <p>Threading: immutable.
 *
 * @param externalUrl what clients call the gateway
 * @param domains host names under which a further label is a bucket; the longest one that fits
 *     counts
 */
public record SignedHosts(Optional<URI> externalUrl, List<String> domains) {
  /** Nothing but the host that arrived, with and without a default port. */
  public static final SignedHosts WIRE = new SignedHosts(Optional.empty(), List.of());

  private static final List<String> DEFAULT_PORTS = List.of(":443", ":80");

  public SignedHosts {
    domains =
        domains.stream()
            .map(SignedHosts::hostName)
            .sorted(Comparator.comparing(String::length).reversed())
            .toList();
    externalUrl.ifPresent(
        url -> {
          if (url.getHost() == null) {
            throw new IllegalArgumentException("external-url needs a host name: " + url);
          }
        });
  }

  /** What else than {@code wireHost} may have been signed. */
  List<String> alternatives(String wireHost) {
    List<String> hosts = new ArrayList<>();
    addPorts(wireHost, hosts);
    externalUrl.ifPresent(
        url -> {
          String bucket = bucketLabel(wireHost);
          String external = bucket + url.getHost();
          String named = url.getPort() < 0 ? external : external + ':' + url.getPort();
          hosts.add(named);
          addPorts(named, hosts);
        });
    hosts.remove(wireHost);
    return hosts;
  }

  private static void addPorts(String host, List<String> hosts) {
    for (String port : DEFAULT_PORTS) {
      if (host.endsWith(port)) {
        hosts.add(host.substring(0, host.length() - port.length()));
        return;
      }
    }
    if (host.lastIndexOf(':') <= host.lastIndexOf(']')) {
      DEFAULT_PORTS.forEach(port -> hosts.add(host + port));
    }
  }

  /** {@code "bucket."} if {@code wireHost} is {@code bucket.DOMAIN}, else empty. */
  private String bucketLabel(String wireHost) {
    String name = hostName(wireHost);
    for (String domain : domains) {
      if (name.equals(domain)) {
        return "";
      }
      if (name.endsWith('.' + domain)) {
        return name.substring(0, name.length() - domain.length());
      }
    }
    return "";
  }

  /** Lower case, without port and without the dot of the root: as the bucket is read from it. */
  private static String hostName(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
