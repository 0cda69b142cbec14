package io.penstock.loadtest.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.penstock.loadtest.plan.Scenario.Connections.Http;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.wire.Transport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the target on one event loop: large reads, no Nagle, BoringSSL where the
 * endpoint is https. Certificates are not verified: a load test proves nothing about them.
 *
 * <p>Threading: callbacks run on the event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
final class Connector {
  private static final int READ_BYTES = 512 << 10;

  private final Target target;
  private final Transport transport;
  private final EventLoop loop;
  private final @Nullable SslContext tls;

  Connector(Target target, Transport transport, EventLoop loop, @Nullable SslContext tls) {
    this.target = target;
    this.transport = transport;
    this.loop = loop;
    this.tls = tls;
  }

  /** The client side of TLS for {@code http}. */
  static SslContext tls(Http http) {
    try {
      var builder =
          SslContextBuilder.forClient()
              .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
              .trustManager(InsecureTrustManagerFactory.INSTANCE)
              .endpointIdentificationAlgorithm("");
      if (http == Http.HTTP_2) {
        builder
            .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2));
      }
      return builder.build();
    } catch (SSLException e) {
      throw new IllegalStateException("no TLS client can be made: " + e.getMessage(), e);
    }
  }

  /** Opens one connection with {@code handler} behind TLS, then calls one of the two. */
  void connect(
      ChannelHandler handler, Consumer<Channel> ready, BiConsumer<EventLoop, ErrorKind> failed) {
    new Bootstrap()
        .group(loop)
        .channel(transport.clientChannel())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5000)
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1 << 20, 2 << 20))
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                if (tls != null) {
                  channel
                      .pipeline()
                      .addLast(
                          tls.newHandler(
                              channel.alloc(), target.endpoint().getHost(), target.port()));
                }
                channel.pipeline().addLast(handler);
              }
            })
        .connect(target.endpoint().getHost(), target.port())
        .addListener(
            (io.netty.channel.ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                awaitTls(connected.channel(), ready, failed);
              } else {
                failed.accept(loop, ErrorKind.CONNECT);
              }
            });
  }

  private void awaitTls(
      Channel channel, Consumer<Channel> ready, BiConsumer<EventLoop, ErrorKind> failed) {
    SslHandler handshake = channel.pipeline().get(SslHandler.class);
    if (handshake == null) {
      ready.accept(channel);
      return;
    }
    handshake
        .handshakeFuture()
        .addListener(
            done -> {
              if (done.isSuccess()) {
                ready.accept(channel);
              } else {
                channel.close();
                failed.accept(loop, ErrorKind.TLS);
              }
            });
  }
}
