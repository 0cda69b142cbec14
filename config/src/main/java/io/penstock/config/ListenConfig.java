package io.penstock.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where the gateway listens. */
public record ListenConfig(S3Listener s3, AdminListener admin) {

  /** The S3 port. Port 0 means any free port. */
  public record S3Listener(
      String host,
      int port,
      Optional<TlsConfig> tls,
      // host names of the virtual-host style: {@code bucket.DOMAIN}
      List<String> domains,
      // what clients call the gateway when another proxy in front changes the Host header
      Optional<URI> externalUrl,
      boolean http2,
      Duration idleTimeout,
      // longest wait for the next byte of a request
      Duration readTimeout) {}

  /** Health, metrics and runtime report; never the S3 port. */
  public record AdminListener(String host, int port) {}

  /** Server side TLS; {@code clientCa} asks for and verifies client certificates. */
  public record TlsConfig(
      Path certificate, Path key, Optional<Path> clientCa, Engine engine, List<String> protocols) {
    /** Which TLS implementation: auto prefers BoringSSL. */
    public enum Engine {
      AUTO,
      BORINGSSL,
      JDK
    }
  }
}
