package io.penstock.gateway.server;

import io.penstock.config.LimitsConfig;
import io.penstock.config.ListenConfig;
import io.penstock.config.ListenConfig.TlsConfig;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLEngineOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Configuration to Vert.x options: limits, TLS and the settings that made a measured difference.
 */
final class ServerOptions {
  /**
   * What one read may hand up at once; the default of 8 KiB costs twice the CPU on large bodies.
   */
  private static final int MAX_CHUNK = 1 << 20;

  private static final int HTTP2_WINDOW = 4 << 20;

  private ServerOptions() {}

  static HttpServerOptions of(ListenConfig.S3Listener listener, LimitsConfig limits) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxInitialLineLength(clamp(limits.maxRequestLine().bytes()))
            .setMaxHeaderSize(clamp(limits.maxHeaders().bytes()))
            .setMaxChunkSize(MAX_CHUNK)
            .setTcpNoDelay(true)
            // until the first head is complete; from then on Connections keeps watch
            .setIdleTimeout(clamp(listener.idleTimeout().toMillis()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setAcceptBacklog(4096)
            .setHandle100ContinueAutomatically(false)
            // their handlers would look at every message of every connection
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHttp2ClearTextEnabled(listener.http2ClearText())
            .setHttp2ConnectionWindowSize(HTTP2_WINDOW)
            .setInitialSettings(
                new Http2Settings()
                    .setInitialWindowSize(1 << 20)
                    .setMaxConcurrentStreams(256)
                    .setMaxHeaderListSize(limits.maxHeaders().bytes()));
    listener.tls().ifPresent(tls -> secure(options, tls, listener.http2()));
    return options;
  }

  private static void secure(HttpServerOptions options, TlsConfig tls, boolean http2) {
    options
        .setSsl(true)
        .setSslEngineOptions(engine(tls.engine()))
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertPath(tls.certificate().toString())
                .setKeyPath(tls.key().toString()))
        .setEnabledSecureTransportProtocols(new LinkedHashSet<>(tls.protocols()))
        .setUseAlpn(true)
        .setAlpnVersions(
            http2
                ? List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1)
                : List.of(HttpVersion.HTTP_1_1));
    tls.clientCa()
        .ifPresent(
            ca ->
                options
                    .setClientAuth(ClientAuth.REQUIRED)
                    .setTrustOptions(new PemTrustOptions().addCertPath(ca.toString())));
  }

  private static SSLEngineOptions engine(TlsConfig.Engine engine) {
    return switch (engine) {
      case BORINGSSL -> new OpenSSLEngineOptions();
      case JDK -> new JdkSSLEngineOptions();
      case AUTO ->
          OpenSSLEngineOptions.isAvailable()
              ? new OpenSSLEngineOptions()
              : new JdkSSLEngineOptions();
    };
  }

  private static int clamp(long value) {
    return (int) Math.min(Integer.MAX_VALUE, value);
  }
}
