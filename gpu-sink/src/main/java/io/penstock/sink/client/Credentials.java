package io.penstock.sink.client;

import io.penstock.config.Secret;
import java.util.Optional;

/** Keys of a tenant of the gateway. */
public record Credentials(String accessKey, Secret secretKey, Optional<Secret> sessionToken) {

  /** Keys without a session. */
  public static Credentials of(String accessKey, String secretKey) {
    return new Credentials(accessKey, new Secret(secretKey), Optional.empty());
  }
}
