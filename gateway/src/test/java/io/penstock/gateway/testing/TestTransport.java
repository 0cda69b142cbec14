package io.penstock.gateway.testing;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The ways bytes can move on this machine. */
public enum TestTransport {
  NIO(() -> true, NioIoHandler::newFactory, NioSocketChannel::new),
  EPOLL(Epoll::isAvailable, EpollIoHandler::newFactory, EpollSocketChannel::new),
  IO_URING(IoUring::isAvailable, IoUringIoHandler::newFactory, IoUringSocketChannel::new);

  private final BooleanSupplier available;
  private final Supplier<IoHandlerFactory> handler;
  private final ChannelFactory<? extends Channel> channels;

  TestTransport(
      BooleanSupplier available,
      Supplier<IoHandlerFactory> handler,
      ChannelFactory<? extends Channel> channels) {
    this.available = available;
    this.handler = handler;
    this.channels = channels;
  }

  /** Those that work here; for {@code @MethodSource}. */
  public static List<TestTransport> available() {
    return Stream.of(values()).filter(transport -> transport.available.getAsBoolean()).toList();
  }

  public EventLoopGroup newLoop() {
    return new MultiThreadIoEventLoopGroup(1, handler.get());
  }

  public ChannelFactory<? extends Channel> channels() {
    return channels;
  }
}
