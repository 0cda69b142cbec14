package io.penstock.dpu.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.vertx.core.net.TcpConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation")
class TunedTransportTest {
  private final TunedTransport transport =
      TunedTransport.of(new TransportChoice(TransportKind.NIO, "test", Map.of()));

  private static int readSize(Object allocator) {
    return ((RecvByteBufAllocator) allocator).newHandle().guess();
  }

  private ServerBootstrap server(TcpConfig config) {
    ServerBootstrap bootstrap = new ServerBootstrap();
    transport.configure(config, false, bootstrap);
    return bootstrap;
  }

  @Test
  void acceptedConnectionsBeginWithSmallReadsAndGrowToLargeOnes() {
    Map<ChannelOption<?>, Object> options = server(new TcpConfig()).config().childOptions();
    RecvByteBufAllocator.Handle reads =
        ((RecvByteBufAllocator) options.get(ChannelOption.RCVBUF_ALLOCATOR)).newHandle();
    assertThat(reads.guess()).as("an idle client").isEqualTo(4 << 10);
    for (int full = 0; full < 20; full++) {
      int bytes = reads.guess();
      reads.attemptedBytesRead(bytes);
      reads.lastBytesRead(bytes);
      reads.readComplete();
    }
    assertThat(reads.guess()).as("an upload").isEqualTo(TransportKind.NIO.receiveBytes());
    assertThat(options).doesNotContainKey(ChannelOption.SO_RCVBUF);
    assertThat(options).as("what Vert.x sets stays").containsKey(ChannelOption.SO_KEEPALIVE);
  }

  @Test
  void connectionsMadeReadInLargePieces() {
    Bootstrap bootstrap = new Bootstrap();
    transport.configure(new TcpConfig(), false, bootstrap);
    assertThat(readSize(bootstrap.config().options().get(ChannelOption.RCVBUF_ALLOCATOR)))
        .isEqualTo(TransportKind.NIO.receiveBytes());
  }

  @Test
  void aReceiveBufferThatSomebodyAskedForIsLeftAlone() {
    TcpConfig config = new TcpConfig().setReceiveBufferSize(4096);
    assertThat(server(config).config().childOptions())
        .doesNotContainKey(ChannelOption.RCVBUF_ALLOCATOR);
  }
}
