package io.penstock.dpu.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A Vert.x transport whose sockets read in large pieces, and whose rings hold many completions.
 * Vert.x can only set the size of a read together with the kernel's receive buffer, which must be
 * left to the kernel's own tuning; here only the read is sized, unless a server or client asks for
 * a receive buffer of its own.
 *
 * <p>Threading: immutable, as the transport it wraps.
 */
// Netty deprecates the option without another way to set it, and the SPI names deprecated types.
@SuppressWarnings("deprecation")
public final class TunedTransport implements Transport {
  private static final int UNSET = -1;

  /**
   * Accepted connections begin small: with io_uring a buffer is pinned from the moment a read is
   * armed, so a thousand idle clients would hold a thousand large ones. An upload grows them within
   * a few reads.
   */
  private static final int FIRST_READ = 4 << 10;

  private static final int SMALLEST_READ = 1 << 10;

  /**
   * Completions that may wait; thousands of connections finish more in one turn than the default of
   * 4096 holds.
   */
  private static final int COMPLETIONS = 32 << 10;

  private final Transport transport;
  private final boolean uring;
  private final int receiveBytes;

  private TunedTransport(Transport transport, boolean uring, int receiveBytes) {
    this.transport = transport;
    this.uring = uring;
    this.receiveBytes = receiveBytes;
  }

  /** The transport of a choice, which was proven to work. */
  public static TunedTransport of(TransportChoice choice) {
    return of(choice.kind());
  }

  static TunedTransport of(TransportKind kind) {
    return new TunedTransport(
        Transports.implementation(kind), kind == TransportKind.IO_URING, kind.receiveBytes());
  }

  /** The reads of every socket; for those who open sockets without Vert.x. */
  public RecvByteBufAllocator receiveAllocator() {
    return new FixedRecvByteBufAllocator(receiveBytes);
  }

  @Override
  public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
    if (config.getReceiveBufferSize() == UNSET) {
      bootstrap.childOption(
          ChannelOption.RCVBUF_ALLOCATOR,
          new AdaptiveRecvByteBufAllocator(SMALLEST_READ, FIRST_READ, receiveBytes));
    }
    transport.configure(config, domainSocket, bootstrap);
  }

  @Override
  public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
    if (config.getReceiveBufferSize() == UNSET) {
      bootstrap.option(ChannelOption.RCVBUF_ALLOCATOR, receiveAllocator());
    }
    transport.configure(config, domainSocket, bootstrap);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return uring
        ? IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setCqSize(COMPLETIONS))
        : transport.ioHandlerFactory();
  }

  @Override
  public EventLoopGroup eventLoopGroup(int type, int loops, ThreadFactory threads, int ioRatio) {
    // Not the wrapped transport's: that would build the loops on its own handlers, not on ours.
    return Transport.super.eventLoopGroup(type, loops, threads, ioRatio);
  }

  // The rest is the wrapped transport's.

  @Override
  public boolean supportsDomainSockets() {
    return transport.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return transport.supportFileRegion();
  }

  @Override
  public boolean isAvailable() {
    return transport.isAvailable();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return transport.unavailabilityCause();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return transport.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return transport.convert(address);
  }

  @Override
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return transport.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
    return transport.datagramChannelFactory();
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return transport.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return transport.serverChannelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    transport.configure(channel, options);
  }
}
