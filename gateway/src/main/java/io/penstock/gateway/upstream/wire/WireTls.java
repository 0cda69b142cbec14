package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.penstock.config.UpstreamConfig.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLException;

/**
 * TLS to the store: BoringSSL where its native library loads, else the JDK's. The certificate's
 * chain and name are verified unless the configuration says otherwise.
 *
 * <p>Threading: immutable, shared by all event loops.
 */
public final class WireTls {
  private final SslContext context;

  private WireTls(SslContext context) {
    this.context = context;
  }

  /**
   * Reads the authorities once.
   *
   * @throws IllegalArgumentException if the authorities cannot be read; the message says which file
   */
  public static WireTls of(TlsConfig config) {
    return of(config, OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK);
  }

  static WireTls of(TlsConfig config, SslProvider provider) {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .sslProvider(provider)
            .protocols("TLSv1.3", "TLSv1.2")
            .endpointIdentificationAlgorithm(config.verify() ? "HTTPS" : "")
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_1_1));
    String authorities = config.ca().map(Path::toString).orElse("the system's authorities");
    try {
      if (!config.verify()) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else {
        config.ca().ifPresent(file -> builder.trustManager(file.toFile()));
      }
      return new WireTls(builder.build());
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot trust "
              + authorities
              + " ("
              + e.getMessage()
              + "); set upstream.tls.ca to a PEM file of certificates",
          e);
    }
  }

  /** The first handler of a connection to {@code endpoint}. */
  SslHandler newHandler(ByteBufAllocator allocator, Endpoint endpoint, Duration timeout) {
    SslHandler handler = context.newHandler(allocator, endpoint.host(), endpoint.port());
    handler.setHandshakeTimeoutMillis(timeout.toMillis());
    return handler;
  }
}
