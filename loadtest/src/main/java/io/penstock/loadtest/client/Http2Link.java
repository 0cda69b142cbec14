package io.penstock.loadtest.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import io.penstock.loadtest.record.ErrorKind;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP/2 connection and the lanes on it; opened again whenever it is lost. Windows are large,
 * so that flow control never makes the client the slow side.
 *
 * <p>Threading: the worker's event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
final class Http2Link {
  private static final int WINDOW = 16 << 20;
  private static final long RETRY_MILLIS = 20;

  private final Connector connector;
  private final List<Http2Lane> lanes;

  Http2Link(Connector connector, List<Http2Lane> lanes) {
    this.connector = connector;
    this.lanes = lanes;
  }

  /** Opens the connection; tries again until it works or the lanes are abandoned. */
  void connect() {
    if (lanes.getFirst().abandoned()) {
      return;
    }
    connector.connect(
        new Setup(),
        channel -> {
          channel.closeFuture().addListener(closed -> lost());
          lanes.forEach(lane -> lane.up(channel));
        },
        (loop, kind) -> {
          lanes.getFirst().refused(kind);
          loop.schedule(this::connect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        });
  }

  private void lost() {
    lanes.forEach(lane -> lane.down(ErrorKind.CLOSED));
    lanes.forEach(Http2Lane::offer);
    connect();
  }

  private static final class Setup extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(
              Http2FrameCodecBuilder.forClient()
                  .initialSettings(
                      Http2Settings.defaultSettings()
                          .pushEnabled(false)
                          .initialWindowSize(WINDOW)
                          .maxFrameSize(1 << 20))
                  .build())
          .addLast(new Http2MultiplexHandler(new Refusal()))
          .addLast(new ConnectionWindow());
    }
  }

  /** Streams opened by the server: none. */
  private static final class Refusal extends ChannelInboundHandlerAdapter {
    @Override
    public boolean isSharable() {
      return true;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      context.close();
    }
  }

  /** Opens the connection's own window, and drops frames that belong to no stream. */
  private static final class ConnectionWindow extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      widen(context);
      context.fireChannelActive();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      if (context.channel().isActive()) {
        widen(context);
      }
    }

    private static void widen(ChannelHandlerContext context) {
      context.writeAndFlush(new DefaultHttp2WindowUpdateFrame(WINDOW));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
