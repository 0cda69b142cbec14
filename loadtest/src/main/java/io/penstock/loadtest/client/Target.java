package io.penstock.loadtest.client;

import io.penstock.loadtest.plan.Scenario.Connections.Http;
import io.penstock.loadtest.sign.RequestSigner;
import java.net.URI;

/**
 * Where a run goes and who signs. {@code verify} compares every byte of every GET with the content
 * that a synthetic object must have; it costs the client a pass over the data.
 */
public record Target(URI endpoint, RequestSigner.Keys keys, boolean verify) {
  public Target {
    String scheme = endpoint.getScheme();
    if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "the endpoint must look like http://HOST:PORT or https://HOST:PORT, not " + endpoint);
    }
  }

  boolean tls() {
    return "https".equals(endpoint.getScheme());
  }

  int port() {
    return endpoint.getPort() > 0 ? endpoint.getPort() : tls() ? 443 : 80;
  }

  /** The Host header: the port only when it is not the scheme's own. */
  String authority() {
    return endpoint.getPort() > 0
        ? endpoint.getHost() + ":" + endpoint.getPort()
        : endpoint.getHost();
  }

  /** Only the protocol's name, for the reports. */
  public String describe(Http http) {
    return endpoint + (http == Http.HTTP_2 ? " (HTTP/2)" : "");
  }
}
