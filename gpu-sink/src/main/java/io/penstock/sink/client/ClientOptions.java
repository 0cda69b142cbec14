package io.penstock.sink.client;

import io.penstock.arrow.ipc.ReadLimits;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a client behaves.
 *
 * @param connect how long a connection and its TLS handshake may take, each
 * @param silence how long the gateway may send nothing; the first batch of a stream may take a
 *     while
 * @param tls whom to trust behind {@code https}; without it, whom the JVM trusts
 */
public record ClientOptions(
    Duration connect,
    Duration silence,
    RetryPolicy retries,
    ReadLimits limits,
    Optional<SSLContext> tls) {
  public static final ClientOptions DEFAULT =
      new ClientOptions(
          Duration.ofSeconds(10),
          Duration.ofMinutes(2),
          RetryPolicy.DEFAULT,
          ReadLimits.DEFAULT,
          Optional.empty());

  /** The same with other retries. */
  public ClientOptions with(RetryPolicy other) {
    return new ClientOptions(connect, silence, other, limits, tls);
  }

  /** The same with another trust. */
  public ClientOptions with(SSLContext trust) {
    return new ClientOptions(connect, silence, retries, limits, Optional.of(trust));
  }
}
