package io.penstock.gateway.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of an HTTP/1.1 request body from the pipeline before Vert.x copies them to the
 * heap. Sits in front of the Vert.x handler, hands the content of an attached body on as it was
 * received, and lets everything else pass, the end of each message included, so that Vert.x still
 * runs the connection.
 *
 * <p>A paused body that has bytes waiting holds back the reads asked for behind it, rather than
 * switching auto-read off: that makes the io_uring channel of Netty 4.2.18 cancel a read, and data
 * which arrives between the cancellation and the next read is not noticed before more comes.
 *
 * <p>A pipelined request whose head waits inside Vert.x cannot be attached in time; its body takes
 * Vert.x's own way.
 *
 * <p>Threading: the event loop of the channel.
 *
 * <p>Ownership: buffers that arrive while the body is paused are held here and released when the
 * body is detached.
 */
final class BodyTap extends ChannelDuplexHandler {
  private final Queue<ByteBuf> held = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext context;
  private @Nullable Consumer<ByteBuf> target;
  private Consumer<Throwable> onBroken = _ -> {};
  private @Nullable LastHttpContent heldEnd;
  private boolean insideHead;
  private boolean insideRead;
  private boolean paused;
  private boolean readHeldBack;

  /** What came behind a body that is not through yet: pipelined requests, in order. */
  private final Queue<Object> later = new ArrayDeque<>();

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /**
   * Sends the content of the request whose head is being handled right now to {@code bytes}, paused
   * at first.
   *
   * @param broken hears of it when the framing cannot be read; nothing follows
   * @return false when it is too late for that: the body comes through Vert.x
   */
  boolean attach(Consumer<ByteBuf> bytes, Consumer<Throwable> broken) {
    if (!insideHead) {
      return false;
    }
    target = bytes;
    onBroken = broken;
    paused = true;
    return true;
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    drainHeld();
    if (!paused) {
      readOn();
    }
  }

  /**
   * Whether the socket is not read because a body waits: the client's leaving would go unnoticed.
   */
  boolean holdsBack() {
    return paused && !held.isEmpty();
  }

  /** Whatever is held or still comes for the current body is dropped. */
  void discard() {
    target = ByteBuf::release;
    resume();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    insideRead = true;
    if (heldEnd != null) {
      later.add(message);
    } else {
      handle(ctx, message);
    }
  }

  private void handle(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest) {
      target = null;
      insideHead = true;
      try {
        ctx.fireChannelRead(message);
      } finally {
        insideHead = false;
      }
    } else if (target != null
        && message instanceof HttpContent content
        && content.decoderResult().isSuccess()) {
      take(content);
    } else if (target != null && message instanceof HttpContent content) {
      breakOff(content);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /** Vert.x would drop the connection without a word; whoever reads the body can still answer. */
  private void breakOff(HttpContent content) {
    content.release();
    release();
    paused = false;
    readOn();
    onBroken.accept(content.decoderResult().cause());
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    insideRead = false;
    super.channelReadComplete(ctx);
  }

  private void take(HttpContent content) {
    ByteBuf bytes = content.content();
    boolean last = content instanceof LastHttpContent;
    if (bytes.isReadable()) {
      held.add(bytes);
    } else if (!last) {
      bytes.release();
    }
    if (last) {
      heldEnd = LastHttpContent.EMPTY_LAST_CONTENT;
    }
    drainHeld();
  }

  private void drainHeld() {
    while (!paused && target != null) {
      ByteBuf next = held.poll();
      if (next == null) {
        break;
      }
      target.accept(next);
    }
    if (held.isEmpty() && heldEnd != null && context != null) {
      passEnd(context, heldEnd);
    }
  }

  /** The body is over: whatever it held up goes on, also when it was paused by its last bytes. */
  private void passEnd(ChannelHandlerContext ctx, LastHttpContent end) {
    heldEnd = null;
    target = null;
    paused = false;
    ctx.fireChannelRead(end);
    while (heldEnd == null && !later.isEmpty()) {
      handle(ctx, later.remove());
    }
    readOn();
    if (!insideRead) {
      // Vert.x writes without flushing from a message until the read that brought it is complete
      ctx.fireChannelReadComplete();
    }
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    if (holdsBack() || !later.isEmpty() || behind(ctx)) {
      readHeldBack = true;
    } else {
      ctx.read();
    }
  }

  /** A client that takes no answers may ask no more; a body in progress is read all the same. */
  private boolean behind(ChannelHandlerContext ctx) {
    return target == null && !ctx.channel().isWritable();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    if (ctx.channel().isWritable()) {
      readOn();
    }
    super.channelWritabilityChanged(ctx);
  }

  private void readOn() {
    if (readHeldBack && context != null && !holdsBack() && later.isEmpty() && !behind(context)) {
      readHeldBack = false;
      context.read();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    release();
    super.channelInactive(ctx);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release();
  }

  private void release() {
    for (ByteBuf next = held.poll(); next != null; next = held.poll()) {
      next.release();
    }
    later.forEach(ReferenceCountUtil::release);
    later.clear();
    heldEnd = null;
    target = ByteBuf::release;
  }
}
