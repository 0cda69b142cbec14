package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.penstock.dpu.transport.PeerState;
import io.penstock.gateway.upstream.UpstreamFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection to the store, carrying one call at a time. It reads its socket only when
 * somebody waits for a head or takes body bytes. Whatever goes wrong closes it and is reported to
 * its {@link WireExchange}.
 *
 * <p>Threading: its channel's event loop.
 *
 * <p>Ownership: buffers go from the socket to the response body, and from the request body to the
 * socket; none stays here.
 */
final class WireConnection extends ChannelInboundHandlerAdapter implements RequestWriter.Events {

  /** The pool it belongs to. */
  interface Owner {
    /** Ready for the next call. */
    void released(WireConnection connection);

    /** Gone, or about to go; called once. */
    void closed(WireConnection connection);

    /** The connection was stale; the call goes out on a fresh one. */
    void repeat(WireCall call);

    void sent(long bytes);

    void received(long bytes);
  }

  private final Channel channel;
  private final Owner owner;
  private final ReceiveSize receiveSize;
  private final boolean readsWhenIdle;
  private final Duration timeout;
  private final ResponseDecoder decoder = new ResponseDecoder();
  private final RequestWriter writer;
  private final Watchdog watchdog;
  private @Nullable WireExchange exchange;
  private @Nullable WireCall call;
  private @Nullable Throwable cause;
  private long idleSince;
  private long received;
  private boolean used;
  private boolean reading;
  private boolean orderlyEnd;
  private boolean closed;

  /**
   * Takes over a connected channel whose auto-read and auto-close are off; add it to the pipeline's
   * end.
   *
   * @param readsWhenIdle whether a pending read costs no buffer, so that an idle connection may
   *     have one to notice stray bytes
   * @param timeout the longest wait for a response, or for the next bytes of one
   */
  WireConnection(
      Channel channel, Owner owner, ReceiveSize size, boolean readsWhenIdle, Duration timeout) {
    this.channel = channel;
    this.owner = owner;
    this.receiveSize = size;
    this.readsWhenIdle = readsWhenIdle;
    this.timeout = timeout;
    this.writer = new RequestWriter(channel, this);
    // with TLS only a close_notify tells an orderly end from a cut
    this.orderlyEnd = channel.pipeline().get(SslHandler.class) == null;
    this.watchdog =
        new Watchdog(channel.eventLoop(), timeout.toNanos(), this::waitsForStore, this::timedOut);
  }

  /** Whether it is open as far as we know. */
  boolean isOpen() {
    return !closed && channel.isActive();
  }

  /** Asks the kernel whether the store has closed its side; costs a system call. */
  boolean isLeft() {
    return PeerState.hasLeft(channel);
  }

  long idleSince() {
    return idleSince;
  }

  /** Nothing is going on: reads, if that is free, to notice what the store does unasked. */
  void idle() {
    idleSince = System.nanoTime();
    readIfWanted();
  }

  /** Sends a call; the connection is busy until its owner hears released or closed. */
  void send(WireCall next) {
    ByteBuf head;
    try {
      head = RequestEncoder.encode(next.request(), channel.alloc());
    } catch (IllegalArgumentException e) {
      owner.released(this);
      next.failed(e);
      return;
    } catch (Throwable t) {
      close();
      next.failed(t);
      return;
    }
    WireExchange started = new WireExchange(this, next);
    call = next;
    exchange = started;
    decoder.expect(next.request().method(), started);
    received = 0;
    writer.begin();
    started.begin(head);
    writer.flush();
    demanded();
  }

  /** Closes in an orderly way. */
  void close() {
    if (!closed) {
      closed = true;
      watchdog.stop();
      var _ = channel.close();
      owner.closed(this);
    }
  }

  // --- from the exchange ---

  void write(ByteBuf piece) {
    watchdog.touch();
    owner.sent(piece.readableBytes());
    writer.write(piece);
  }

  boolean isWritable() {
    return channel.isWritable();
  }

  void demanded() {
    watchdog.touch();
    readIfWanted();
  }

  /** The response is complete. */
  void finished(boolean reusable) {
    receiveSize.received(received);
    exchange = null;
    call = null;
    used = true;
    if (closed) {
      return;
    }
    if (reusable) {
      owner.released(this);
    } else {
      close();
    }
  }

  /** The connection is of no more use; says so to everybody concerned, once. */
  void breakOff(UpstreamFailure failure) {
    if (closed) {
      return;
    }
    closed = true;
    watchdog.stop();
    WireExchange open = exchange;
    WireCall openCall = call;
    exchange = null;
    call = null;
    reset();
    boolean stale = used && !decoder.begun() && failure instanceof UpstreamFailure.Broken;
    owner.closed(this);
    if (open == null || openCall == null) {
      return;
    }
    if (stale && open.handOver(writer.delivered())) {
      owner.repeat(openCall);
    } else {
      open.failed(failure);
    }
  }

  // --- from the socket ---

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf buffer = (ByteBuf) message;
    if (closed) {
      // io_uring may still deliver a read that was under way
      buffer.release();
      return;
    }
    watchdog.touch();
    received += buffer.readableBytes();
    owner.received(buffer.readableBytes());
    try {
      decoder.feed(buffer);
    } catch (BadResponse e) {
      breakOff(broken(e));
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    readIfWanted();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (exchange != null && channel.isWritable()) {
      exchange.writable();
    }
  }

  @Override
  public void written() {
    watchdog.touch();
  }

  @Override
  public void writeFailed(Throwable problem) {
    cause = cause == null ? problem : cause;
    if (exchange == null) {
      close();
    } else {
      exchange.unwritable();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent farewell && farewell.isSuccess()) {
      orderlyEnd = true;
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable problem) {
    cause = problem;
    breakOff(broken(problem));
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (closed) {
      return;
    }
    try {
      if (cause == null && orderlyEnd) {
        decoder.inputClosed();
      }
      breakOff(broken(cause));
    } catch (BadResponse e) {
      breakOff(broken(e));
    }
  }

  private void readIfWanted() {
    boolean wanted = exchange != null ? exchange.wantsRead() : readsWhenIdle;
    if (wanted && !reading && !closed) {
      reading = true;
      if (decoder.begun()) {
        receiveSize.expect(decoder.remaining());
      } else {
        receiveSize.expectResponse();
      }
      channel.read();
    }
  }

  // --- deadlines and ends ---

  private boolean waitsForStore() {
    return exchange != null && exchange.waitsForStore();
  }

  private void timedOut() {
    String missing = exchange != null && exchange.isAnswered() ? "sent body bytes" : "answered";
    breakOff(
        new UpstreamFailure.TimedOut(
            "the store has not %s for %s (upstream.pool.response-timeout)"
                .formatted(missing, timeout),
            sent()));
  }

  /** A body that has begun to flow cannot be sent again, whether or not the store saw of it. */
  private boolean sent() {
    return writer.delivered() || (call != null && call.sender() != null);
  }

  private UpstreamFailure broken(@Nullable Throwable why) {
    String reason = why == null ? "the store closed it" : String.valueOf(why.getMessage());
    return new UpstreamFailure.Broken("connection to the store broken: " + reason, sent());
  }

  /** Closes at once, without a farewell that would wait behind unsent bytes. */
  private void reset() {
    try {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    } catch (ChannelException _) {
      // closed already
    }
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    if (tls != null) {
      var _ = tls.close();
    } else {
      var _ = channel.close();
    }
  }
}
