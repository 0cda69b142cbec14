package io.penstock.dpu.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Promise;
import io.vertx.core.spi.transport.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Proves a transport by sending one byte over the loopback interface, with as many event loops as
 * will be used. The library's own check is not enough: it opens a single ring, while containers may
 * allow the setup call but not the others, and older kernels charge each ring to the memory lock
 * limit, so that the first ones open and the later ones do not.
 *
 * <p>Threading: blocks the caller; its own event loops are gone when it returns.
 */
public final class LoopbackProof implements TransportProof {
  private final int loops;
  private final long timeoutMillis;

  /**
   * A proof for a process of {@code loops} event loops.
   *
   * @param timeoutMillis how long the byte may take; a ring that hangs counts as refused
   */
  public LoopbackProof(int loops, long timeoutMillis) {
    this.loops = loops;
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public Optional<String> refusal(TransportKind kind) {
    Optional<String> refusal = Transports.refusal(kind);
    if (refusal.isPresent()) {
      return refusal;
    }
    // What kills a loop's thread says more than what then happens to the caller of that loop.
    AtomicReference<@Nullable Throwable> loopDeath = new AtomicReference<>();
    try {
      return exchange(TunedTransport.of(kind), loopDeath);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted while trying it");
    } catch (Exception | LinkageError e) {
      Throwable death = loopDeath.get();
      return Optional.of("trying it failed: " + Causes.innermost(death == null ? e : death));
    }
  }

  private Optional<String> exchange(
      Transport transport, AtomicReference<@Nullable Throwable> loopDeath) throws Exception {
    // One more than the loops: Vert.x accepts connections on a loop of its own.
    EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            loops + 1,
            Thread.ofPlatform()
                .name("transport-proof-", 0)
                .daemon()
                .uncaughtExceptionHandler((_, death) -> loopDeath.compareAndSet(null, death))
                .factory(),
            transport.ioHandlerFactory());
    try {
      for (int i = 0; i <= loops; i++) {
        group.next().submit(() -> {}).get(timeoutMillis, TimeUnit.MILLISECONDS);
      }
      return sendOneByte(group, transport);
    } finally {
      group.shutdownGracefully(0, timeoutMillis, TimeUnit.MILLISECONDS).await(timeoutMillis);
    }
  }

  private Optional<String> sendOneByte(EventLoopGroup group, Transport transport)
      throws InterruptedException {
    Promise<Byte> received = group.next().newPromise();
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channelFactory(transport.serverChannelFactory(false))
            .childHandler(new FirstByte(received))
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    Channel client =
        new Bootstrap()
            .group(group)
            .channelFactory(transport.channelFactory(false))
            .handler(new ChannelInboundHandlerAdapter())
            .connect(server.localAddress())
            .sync()
            .channel();
    client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1})).sync();
    boolean arrived = received.await(timeoutMillis, TimeUnit.MILLISECONDS);
    server.close().sync();
    client.close().sync();
    return arrived ? Optional.empty() : Optional.of("a byte sent to itself did not arrive");
  }

  /** Takes the first byte that arrives. */
  private static final class FirstByte extends ChannelInboundHandlerAdapter {
    private final Promise<Byte> received;

    FirstByte(Promise<Byte> received) {
      this.received = received;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      try {
        received.trySuccess(bytes.readByte());
      } finally {
        bytes.release();
      }
    }
  }
}
