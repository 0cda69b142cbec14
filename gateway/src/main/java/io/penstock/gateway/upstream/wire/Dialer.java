package io.penstock.gateway.upstream.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import io.penstock.config.UpstreamConfig.PoolConfig;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * Makes connections to one endpoint: looks its name up anew, tries one address after the other
 * beginning with the next in turn, and finishes the TLS handshake. Fails with {@link
 * UpstreamFailure.Unreachable}.
 *
 * <p>Threading: one per event loop, called on it.
 */
final class Dialer {
  private static final int MOST_ADDRESSES = 3;
  private static final WriteBufferWaterMark WRITE_MARK =
      new WriteBufferWaterMark(256 * 1024, 512 * 1024);

  private final WireTransport transport;
  private final Endpoint endpoint;
  private final Optional<WireTls> tls;
  private final PoolConfig config;
  private final ResponseSizes responses;
  private int turn;

  Dialer(WireTransport transport, Endpoint endpoint, Optional<WireTls> tls, PoolConfig config) {
    this.transport = transport;
    this.endpoint = endpoint;
    this.tls = endpoint.tls() ? tls : Optional.empty();
    this.config = config;
    this.responses = new ResponseSizes(transport.receiveBytes());
    if (endpoint.tls() && tls.isEmpty()) {
      throw new IllegalArgumentException(endpoint + " needs TLS");
    }
  }

  /** A connected, verified connection that belongs to {@code owner}. */
  Future<WireConnection> dial(WireConnection.Owner owner) {
    Promise<WireConnection> result = Promise.promise();
    transport
        .names()
        .lookUp(transport.loop(), endpoint.host())
        .addListener(
            (io.netty.util.concurrent.Future<List<InetSocketAddress>> lookup) -> {
              if (lookup.isSuccess() && !lookup.getNow().isEmpty()) {
                List<InetSocketAddress> addresses = lookup.getNow();
                turn = (turn + 1) & Integer.MAX_VALUE;
                int tries = Math.min(MOST_ADDRESSES, addresses.size());
                connect(new Attempt(owner, addresses, turn, tries, result));
              } else {
                result.fail(
                    new UpstreamFailure.Unreachable(
                        "the name of " + endpoint + " has no address; check upstream.endpoints"));
              }
            });
    return result.future();
  }

  private record Attempt(
      WireConnection.Owner owner,
      List<InetSocketAddress> addresses,
      int turn,
      int triesLeft,
      Promise<WireConnection> result) {
    InetSocketAddress address() {
      return addresses.get(turn % addresses.size());
    }

    Attempt next() {
      return new Attempt(owner, addresses, (turn + 1) & Integer.MAX_VALUE, triesLeft - 1, result);
    }
  }

  private void connect(Attempt attempt) {
    ReceiveSize size =
        new ReceiveSize(transport.receiveBytes(), transport.bound(), responses, tls.isPresent());
    InetSocketAddress address =
        new InetSocketAddress(attempt.address().getAddress(), endpoint.port());
    ChannelFuture connected = bootstrap(size).connect(address);
    connected.addListener(
        _ -> {
          Channel channel = connected.channel();
          if (!connected.isSuccess()) {
            refused(attempt, "no connection to " + endpoint, connected.cause());
            return;
          }
          SslHandler handshake = channel.pipeline().get(SslHandler.class);
          if (handshake == null) {
            ready(attempt, channel, size);
            return;
          }
          channel.read();
          handshake
              .handshakeFuture()
              .addListener(
                  done -> {
                    if (done.isSuccess()) {
                      ready(attempt, channel, size);
                    } else {
                      var _ = channel.close();
                      refused(attempt, "no TLS with " + endpoint, done.cause());
                    }
                  });
        });
  }

  private void ready(Attempt attempt, Channel channel, ReceiveSize size) {
    WireConnection connection =
        new WireConnection(
            channel, attempt.owner(), size, transport.idleReadIsFree(), config.responseTimeout());
    channel.pipeline().addLast(connection);
    attempt.result().complete(connection);
  }

  private void refused(Attempt attempt, String what, Throwable cause) {
    if (attempt.triesLeft() > 1) {
      connect(attempt.next());
      return;
    }
    attempt
        .result()
        .fail(
            new UpstreamFailure.Unreachable(
                what
                    + " ("
                    + reason(cause)
                    + "); check upstream.endpoints and upstream.tls, and that the store is up"));
  }

  private static String reason(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  @SuppressWarnings("deprecation") // auto-close has no successor yet
  private Bootstrap bootstrap(ReceiveSize size) {
    ChannelHandler first =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            tls.ifPresent(
                context ->
                    channel
                        .pipeline()
                        .addLast(
                            context.newHandler(
                                channel.alloc(), endpoint, config.connectTimeout())));
          }
        };
    return new Bootstrap()
        .group(transport.loop())
        .channelFactory(transport.channels())
        .option(ChannelOption.ALLOCATOR, transport.allocator())
        .option(ChannelOption.RECVBUF_ALLOCATOR, size)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.AUTO_CLOSE, false)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_MARK)
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            (int) Math.min(Integer.MAX_VALUE, config.connectTimeout().toMillis()))
        .handler(first);
  }
}
