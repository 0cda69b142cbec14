package io.penstock.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where the gateway listens. */
public record ListenConfig(
    @Key(doc = "The S3 port.") S3Listener s3,
    @Key(
            doc =
                "Health, metrics and runtime report: /health/live, /health/ready, /metrics, /runtime.")
        AdminListener admin) {

  /** The S3 port. Port 0 means any free port. */
  public record S3Listener(
      @Key(
              doc = "Address to listen on; 0.0.0.0 for every IPv4 address of the machine.",
              defaultValue = "127.0.0.1",
              pattern = Patterns.HOST,
              expected = Patterns.HOST_WORDS)
          String host,
      @Key(doc = "Port; 0 for any free one.", defaultValue = "9000", min = "0", max = "65535")
          int port,
      @Key(doc = "TLS to the clients; without it the port speaks plain HTTP.")
          Optional<TlsConfig> tls,
      @Key(
              doc =
                  "Host names of the virtual-host style: requests to BUCKET.DOMAIN name the bucket.",
              defaultValue = "[]",
              example = "[s3.example.com]",
              pattern = Patterns.DOMAIN,
              expected = Patterns.DOMAIN_WORDS)
          List<String> domains,
      @Key(
              doc =
                  "What clients call the gateway when another proxy in front of it changes the Host"
                      + " header; signatures are checked against it.",
              example = "https://s3.example.com")
          Optional<URI> externalUrl,
      @Key(doc = "Offer HTTP/2 beside HTTP/1.1 to clients that come by TLS.", defaultValue = "true")
          boolean http2,
      @Key(
              doc = "Close a connection without a request after this time.",
              defaultValue = "75s",
              min = "1s",
              max = "1h")
          Duration idleTimeout,
      @Key(
              doc = "Longest wait for the next byte of a request.",
              defaultValue = "60s",
              min = "100ms",
              max = "1h")
          Duration readTimeout,
      @Key(
              doc =
                  "Speak HTTP/2 without TLS too, by prior knowledge or upgrade. Off because hardly any S3"
                      + " client does, and an upgrade is one more way to smuggle.",
              defaultValue = "false")
          boolean http2ClearText) {
    public S3Listener {
      domains = List.copyOf(domains);
    }
  }

  /** Health, metrics and runtime report; never the S3 port. */
  public record AdminListener(
      @Key(
              doc = "Address to listen on.",
              defaultValue = "127.0.0.1",
              pattern = Patterns.HOST,
              expected = Patterns.HOST_WORDS)
          String host,
      @Key(doc = "Port; 0 for any free one.", defaultValue = "9001", min = "0", max = "65535")
          int port) {}

  /** Server side TLS; {@code clientCa} asks for and verifies client certificates. */
  public record TlsConfig(
      @Key(
              doc = "PEM file with the certificate, followed by its chain.",
              example = "/etc/penstock/tls/tls.crt",
              pem = Key.Pem.CERTIFICATES,
              reloadable = true)
          Path certificate,
      @Key(
              doc = "PEM file with the private key.",
              example = "/etc/penstock/tls/tls.key",
              pem = Key.Pem.PRIVATE_KEY,
              reloadable = true)
          Path key,
      @Key(
              doc =
                  "PEM file with certificate authorities; when set, clients must show a certificate"
                      + " of one of them.",
              example = "/etc/penstock/tls/ca.crt",
              pem = Key.Pem.CERTIFICATES,
              reloadable = true)
          Optional<Path> clientCa,
      @Key(
              doc = "TLS implementation; auto takes BoringSSL where it is there.",
              defaultValue = "auto")
          Engine engine,
      @Key(
              doc = "TLS versions to offer.",
              defaultValue = "[TLSv1.2, TLSv1.3]",
              min = "1",
              pattern = "TLSv1\\.[23]",
              expected = "TLSv1.2 or TLSv1.3")
          List<String> protocols) {
    public TlsConfig {
      protocols = List.copyOf(protocols);
    }

    /** Which TLS implementation: auto prefers BoringSSL. */
    public enum Engine {
      AUTO,
      BORINGSSL,
      JDK
    }
  }
}
