package io.penstock.loadtest.wire;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** How the load generator and its store reach the kernel: epoll where there is one, else NIO. */
public enum Transport {
  EPOLL {
    @Override
    IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    public Class<? extends SocketChannel> clientChannel() {
      return EpollSocketChannel.class;
    }

    @Override
    public Class<? extends ServerSocketChannel> serverChannel() {
      return EpollServerSocketChannel.class;
    }
  },
  NIO {
    @Override
    IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    public Class<? extends SocketChannel> clientChannel() {
      return NioSocketChannel.class;
    }

    @Override
    public Class<? extends ServerSocketChannel> serverChannel() {
      return NioServerSocketChannel.class;
    }
  };

  abstract IoHandlerFactory handlers();

  public abstract Class<? extends SocketChannel> clientChannel();

  public abstract Class<? extends ServerSocketChannel> serverChannel();

  /** The best one on this machine. */
  public static Transport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  /** {@code threads} event loops whose threads are called {@code name}. */
  public EventLoopGroup loops(int threads, String name) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, true), handlers());
  }
}
