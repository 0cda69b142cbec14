package io.penstock.sink.client;

import io.penstock.config.Secret;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Where a gateway is and who asks it.
 *
 * @param endpoint {@code http} or {@code https}, a host, perhaps a port, no path
 * @param region that signatures name; any, unless the gateway insists
 */
public record GatewayAddress(URI endpoint, String region, Credentials credentials) {
  private static final String DEFAULT_REGION = "us-east-1";

  /**
   * @throws IllegalArgumentException if the endpoint is none
   */
  public GatewayAddress {
    String scheme = String.valueOf(endpoint.getScheme());
    boolean path = endpoint.getPath() != null && !endpoint.getPath().replace("/", "").isEmpty();
    if (!(scheme.equals("http") || scheme.equals("https")) || endpoint.getHost() == null || path) {
      throw new IllegalArgumentException(
          "no endpoint: " + endpoint + "; write http://HOST:PORT or https://HOST");
    }
  }

  /**
   * What the variables say that every S3 client reads: {@code AWS_ENDPOINT_URL_S3} or {@code
   * AWS_ENDPOINT_URL}, {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}, {@code
   * AWS_SESSION_TOKEN}, {@code AWS_REGION} or {@code AWS_DEFAULT_REGION}.
   *
   * @throws IllegalArgumentException if one is missing, with its name
   */
  public static GatewayAddress of(Map<String, String> environment) {
    URI endpoint = URI.create(needed(environment, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"));
    return new GatewayAddress(
        endpoint,
        value(environment, "AWS_REGION", "AWS_DEFAULT_REGION").orElse(DEFAULT_REGION),
        new Credentials(
            needed(environment, "AWS_ACCESS_KEY_ID"),
            new Secret(needed(environment, "AWS_SECRET_ACCESS_KEY")),
            value(environment, "AWS_SESSION_TOKEN").map(Secret::new)));
  }

  private static Optional<String> value(Map<String, String> environment, String... names) {
    for (String name : names) {
      String value = environment.getOrDefault(name, "");
      if (!value.isBlank()) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  private static String needed(Map<String, String> environment, String... names) {
    return value(environment, names)
        .orElseThrow(() -> new IllegalArgumentException(names[names.length - 1] + " is not set"));
  }

  boolean secure() {
    return endpoint.getScheme().equals("https");
  }

  int port() {
    if (endpoint.getPort() >= 0) {
      return endpoint.getPort();
    }
    return secure() ? 443 : 80;
  }

  /** What the {@code Host} field says: no port where it is the scheme's own. */
  String host() {
    return endpoint.getPort() < 0
        ? endpoint.getHost()
        : endpoint.getHost() + ":" + endpoint.getPort();
  }
}
