package io.penstock.loadtest.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.content.SyntheticObject;
import io.penstock.loadtest.plan.ScenarioLoader;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.sign.RequestSigner;
import io.penstock.loadtest.wire.Transport;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HTTP/2 with prior knowledge and with ALPN over TLS, against a small server on Netty's codec. */
class Http2AndTlsIT {
  private final EventLoopGroup loops = Transport.best().loops(1, "http2-server");
  private final AtomicLong connections = new AtomicLong();
  private final AtomicLong received = new AtomicLong();

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private int serve(SslContext tls) {
    Channel server =
        new ServerBootstrap()
            .group(loops)
            .channel(Transport.best().serverChannel())
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.incrementAndGet();
                    if (tls != null) {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                    }
                    channel
                        .pipeline()
                        .addLast(Http2FrameCodecBuilder.forServer().build())
                        .addLast(
                            new Http2MultiplexHandler(
                                new ChannelInitializer<>() {
                                  @Override
                                  protected void initChannel(Channel stream) {
                                    stream.pipeline().addLast(new Answers());
                                  }
                                }));
                  }
                })
            .bind("127.0.0.1", 0)
            .syncUninterruptibly()
            .channel();
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  private final class Answers extends ChannelInboundHandlerAdapter {
    private Http2HeadersFrame head;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2HeadersFrame headers) {
        head = headers;
        if (headers.isEndStream()) {
          answer(context);
        }
      } else if (message instanceof Http2DataFrame data) {
        received.addAndGet(data.content().readableBytes());
        if (data.isEndStream()) {
          answer(context);
        }
      }
      ReferenceCountUtil.release(message);
    }

    private void answer(ChannelHandlerContext context) {
      assertThat(head.headers().get("authorization")).isNotNull();
      var ok = new DefaultHttp2Headers().status("200");
      if (head.headers().method().toString().equals("PUT")) {
        context.writeAndFlush(new DefaultHttp2HeadersFrame(ok, true));
        return;
      }
      var object = SyntheticObject.named(head.headers().path().toString()).orElseThrow();
      context.write(new DefaultHttp2HeadersFrame(ok));
      for (var piece : Content.slices(object.n(), 0, object.size())) {
        context.write(new DefaultHttp2DataFrame(piece));
      }
      context.writeAndFlush(new DefaultHttp2DataFrame(true));
    }
  }

  private static Recording run(String endpoint, String yaml) throws Exception {
    var keys = new RequestSigner.Keys("demo", "demo-secret", "us-east-1");
    try (var client = new LoadClient(1, InstantSource.system())) {
      return client.run(
          ScenarioLoader.parse("x", "name: x\n" + yaml),
          new Target(URI.create(endpoint), keys, true),
          LoadClient.Watcher.NONE);
    }
  }

  @Test
  void manyStreamsShareAConnection() throws Exception {
    int port = serve(null);
    Recording recording =
        run(
            "http://127.0.0.1:" + port,
            """
            objects: {sizes: {300KiB: 1, 1KiB: 1}}
            connections: {count: 2, http: 2, streams: 8}
            timing: {warmup: 100ms, duration: 600ms, grace: 20s}
            """);
    assertThat(recording.errors()).isEmpty();
    assertThat(recording.totals().completed()).isPositive();
    assertThat(connections.get()).isEqualTo(2);
  }

  @Test
  void overTlsWithUploads() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=localhost")
            .ecp256()
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    SslContext tls =
        SslContextBuilder.forServer(
                certificate.getKeyPair().getPrivate(), certificate.getCertificate())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    "h2"))
            .build();
    int port = serve(tls);
    Recording recording =
        run(
            "https://127.0.0.1:" + port,
            """
            workload: {get: 1, put: 1}
            objects: {sizes: {200KiB: 1}, count: 3}
            connections: {count: 2, http: 2, streams: 4}
            timing: {warmup: 100ms, duration: 600ms, grace: 20s}
            """);
    assertThat(recording.errors()).isEmpty();
    assertThat(recording.totals().completed()).isPositive();
    assertThat(received.get() % (200 << 10)).isZero();
    assertThat(received.get()).isPositive();
  }
}
