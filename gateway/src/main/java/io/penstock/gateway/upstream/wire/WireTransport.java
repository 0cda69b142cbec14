package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.uring.IoUringIoHandler;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;

/**
 * What connections of one event loop are made of: the loop itself and sockets of its kind.
 *
 * @param receiveBytes what one read of the socket should bring; see performance notes in
 *     docs/decisions/upstream-wire.md
 * @param idleReadIsFree whether a pending read holds no buffer (io_uring hands one to the kernel at
 *     once, the others allocate when bytes are there)
 */
public record WireTransport(
    EventLoop loop,
    ChannelFactory<? extends Channel> channels,
    ByteBufAllocator allocator,
    NameLookup names,
    ReceiveBound bound,
    int receiveBytes,
    boolean idleReadIsFree) {
  private static final int URING_RECEIVE = 256 * 1024;
  private static final int OTHER_RECEIVE = 512 * 1024;

  /** The transport of a Vert.x event-loop context. */
  public static WireTransport of(Context context, ReceiveBound bound) {
    ContextInternal internal = (ContextInternal) context;
    VertxInternal vertx = internal.owner();
    return of(
        internal.nettyEventLoop(),
        vertx.transport().channelFactory(false),
        (loop, host) -> vertx.nameResolver().resolveAll(loop, host),
        bound);
  }

  /** A transport from its parts; {@code channels} must be of the loop's kind. */
  public static WireTransport of(
      EventLoop loop,
      ChannelFactory<? extends Channel> channels,
      NameLookup names,
      ReceiveBound bound) {
    boolean uring = loop instanceof IoEventLoop io && io.isIoType(IoUringIoHandler.class);
    return new WireTransport(
        loop,
        channels,
        PooledByteBufAllocator.DEFAULT,
        names,
        bound,
        uring ? URING_RECEIVE : OTHER_RECEIVE,
        !uring);
  }
}
