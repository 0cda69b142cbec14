package io.penstock.loadtest.store;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.penstock.loadtest.wire.Transport;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The store as a running server. Knobs can be turned while it runs; connections opened after that
 * follow them.
 *
 * <p>Threading: any.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
public final class StaticStore implements AutoCloseable {
  private static final int READ_BYTES = 512 << 10;

  private final EventLoopGroup loops;
  private final Channel server;
  private final StoreCounters counters = new StoreCounters();
  private volatile Knobs knobs;
  private SplittableRandom random;

  /**
   * Starts to serve on {@code host}; port 0 means any free one.
   *
   * @throws IllegalStateException when the port cannot be had
   */
  public StaticStore(String host, int port, int threads, Knobs knobs) {
    this.knobs = knobs;
    this.random = new SplittableRandom(knobs.seed());
    this.loops = Transport.best().loops(threads, "store");
    var bound =
        new ServerBootstrap()
            .group(loops)
            .channel(Transport.best().serverChannel())
            .option(ChannelOption.SO_BACKLOG, 4096)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1 << 20, 2 << 20))
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(connection());
                  }
                })
            .bind(host, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new IllegalStateException(
          "cannot listen on " + host + ":" + port + "; choose another --port", bound.cause());
    }
    this.server = bound.channel();
  }

  private synchronized StoreConnection connection() {
    return new StoreConnection(knobs, random.split(), counters);
  }

  /** For connections opened from now on. */
  public synchronized void turn(Knobs others) {
    knobs = others;
    random = new SplittableRandom(others.seed());
  }

  /** The port it listens on. */
  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  public StoreCounters.Snapshot counters() {
    return counters.snapshot();
  }

  /** Waits until the store is closed. */
  public void join() throws InterruptedException {
    server.closeFuture().sync();
  }

  @Override
  public void close() {
    server.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
