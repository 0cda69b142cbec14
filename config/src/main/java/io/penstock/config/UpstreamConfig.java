package io.penstock.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The store behind the gateway. */
public record UpstreamConfig(
    List<URI> endpoints,
    String region,
    Addressing addressing,
    String accessKey,
    Secret secretKey,
    Optional<Secret> sessionToken,
    TlsConfig tls,
    PoolConfig pool,
    RetryConfig retry) {

  /** How a bucket is named in requests to the store. */
  public enum Addressing {
    PATH,
    VIRTUAL_HOST
  }

  /** Verification of the store's certificate; {@code ca} replaces the system's authorities. */
  public record TlsConfig(Optional<Path> ca, boolean verify) {}

  /** Connections of one event loop to one endpoint. */
  public record PoolConfig(
      int maxConnections,
      int maxWaiting,
      Duration connectTimeout,
      // below the store's own keep-alive time
      Duration idleTimeout,
      // longest wait for the head of a response, and for the next byte of a body
      Duration responseTimeout) {}

  /** Retries of what can be replayed, with exponential backoff and full jitter. */
  public record RetryConfig(int maxAttempts, Duration initialBackoff, Duration maxBackoff) {}
}
