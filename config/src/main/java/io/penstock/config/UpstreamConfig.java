package io.penstock.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The store behind the gateway. */
public record UpstreamConfig(
    @Key(
            doc = "Base URLs of the store's nodes, all serving the same buckets.",
            example = "[http://127.0.0.1:8333]",
            min = "1")
        List<URI> endpoints,
    @Key(
            doc = "Region that requests to the store are signed for.",
            defaultValue = "us-east-1",
            pattern = "[A-Za-z0-9._-]{1,64}",
            expected = "a region name such as us-east-1")
        String region,
    @Key(
            doc =
                "How a bucket is named in requests to the store: path (http://host/bucket) or"
                    + " virtual-host (http://bucket.host).",
            defaultValue = "path")
        Addressing addressing,
    @Key(
            doc = "The store's access key.",
            example = "\"${STORE_ACCESS_KEY}\"",
            unless = "anonymous",
            fromFile = true,
            reloadable = true,
            pattern = Patterns.ACCESS_KEY,
            expected = Patterns.ACCESS_KEY_WORDS)
        String accessKey,
    @Key(
            doc = "The store's secret key.",
            example = "\"${STORE_SECRET_KEY}\"",
            unless = "anonymous",
            fromFile = true,
            reloadable = true)
        Secret secretKey,
    @Key(
            doc = "Session token of temporary credentials.",
            example = "\"${STORE_SESSION_TOKEN:}\"",
            unless = "anonymous",
            fromFile = true,
            reloadable = true)
        Optional<Secret> sessionToken,
    @Key(
            doc =
                "true: requests to the store carry no signature, for public data sets; there are no"
                    + " keys then, and the store refuses whatever is not public.",
            defaultValue = "false")
        boolean anonymous,
    @Key(doc = "How the certificates of https endpoints are verified.") TlsConfig tls,
    @Key(doc = "Connections of one event loop to one endpoint.") PoolConfig pool,
    @Key(
            doc =
                "Retries of requests that can be sent again, with exponential backoff and full jitter.")
        RetryConfig retry,
    @Key(
            doc =
                "A second try for reads whose answer is late, while the first one goes on; the first"
                    + " answer wins.")
        HedgeConfig hedge,
    @Key(
            doc =
                "Parallel ranged reads of one object, where one connection to the store is the"
                    + " limit.")
        FanOutConfig fanOut) {
  public UpstreamConfig {
    endpoints = List.copyOf(endpoints);
  }

  /** How a bucket is named in requests to the store. */
  public enum Addressing {
    PATH,
    VIRTUAL_HOST
  }

  /** Verification of the store's certificate; {@code ca} replaces the system's authorities. */
  public record TlsConfig(
      @Key(
              doc = "PEM file with certificate authorities, in place of the system's.",
              example = "/etc/penstock/store-ca.crt",
              pem = Key.Pem.CERTIFICATES)
          Optional<Path> ca,
      @Key(
              doc = "Verify the store's certificate and its name. Never false outside of a test.",
              defaultValue = "true")
          boolean verify) {}

  /** Connections of one event loop to one endpoint. */
  public record PoolConfig(
      @Key(
              doc = "Most connections of one event loop to one endpoint.",
              defaultValue = "256",
              min = "1",
              max = "65536")
          int maxConnections,
      @Key(
              doc = "Most requests that wait for a connection; one more is answered 503 SlowDown.",
              defaultValue = "4096",
              min = "0",
              max = "1000000")
          int maxWaiting,
      @Key(
              doc = "Longest wait for a connection to open, TLS included.",
              defaultValue = "5s",
              min = "1ms",
              max = "5m")
          Duration connectTimeout,
      @Key(
              doc =
                  "Close a connection that was not used for this time. Must be below the store's own"
                      + " keep-alive time: Amazon S3 closes after about 20 s, Jetty and MinIO after"
                      + " 30 s, radosgw after 65 s, nginx after 75 s.",
              defaultValue = "15s",
              min = "100ms",
              max = "1h")
          Duration idleTimeout,
      @Key(
              doc = "Longest wait for the head of a response, and for the next byte of its body.",
              defaultValue = "60s",
              min = "1ms",
              max = "1h")
          Duration responseTimeout) {}

  /** Retries of what can be replayed, with exponential backoff and full jitter. */
  public record RetryConfig(
      @Key(
              doc = "Most tries of one request, the first included.",
              defaultValue = "3",
              min = "1",
              max = "10")
          int maxAttempts,
      @Key(
              doc = "Upper bound of the first pause; each later bound is twice the one before.",
              defaultValue = "50ms",
              min = "1ms",
              max = "1m")
          Duration initialBackoff,
      @Key(doc = "Upper bound of any pause.", defaultValue = "2s", min = "1ms", max = "5m")
          Duration maxBackoff) {}

  /** Second tries of reads whose answer is late. */
  public record HedgeConfig(
      @Key(
              doc =
                  "Hedge GET, HEAD and listings. A try is late when it takes longer than nearly all"
                      + " recent ones of its kind.",
              defaultValue = "true")
          boolean enabled,
      @Key(
              doc =
                  "Most second tries per hundred requests. None are made while the store asks to"
                      + " slow down.",
              defaultValue = "2",
              min = "1",
              max = "50")
          int budgetPercent,
      @Key(
              doc = "No try is late before this time has passed.",
              defaultValue = "10ms",
              min = "1ms",
              max = "1m")
          Duration minDelay) {}

  /** Parallel ranged reads of one object. */
  public record FanOutConfig(
      @Key(
              doc =
                  "Read large objects over several connections once it is measured that one is"
                      + " slower. Off: one connection for each request.",
              defaultValue = "true")
          boolean enabled,
      @Key(
              doc =
                  "Most connections that read one object at once; all fan-outs of an event loop"
                      + " together take at most half of pool.max-connections.",
              defaultValue = "16",
              min = "2",
              max = "256")
          int maxConnections,
      @Key(
              doc = "Nothing is fanned out while less than this is left to read.",
              defaultValue = "64MiB",
              min = "1MiB")
          ByteSize minObject,
      @Key(doc = "Smallest part that is asked for.", defaultValue = "4MiB", min = "64KiB")
          ByteSize minPart,
      @Key(
              doc = "Largest part that is asked for; parts that wait for their turn are in memory.",
              defaultValue = "32MiB",
              min = "64KiB",
              max = "1GiB")
          ByteSize maxPart) {}
}
