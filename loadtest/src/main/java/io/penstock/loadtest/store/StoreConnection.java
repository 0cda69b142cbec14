package io.penstock.loadtest.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.wire.HeadScanner;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client of the store: reads a head, drains the body, answers after the knobs' delays at the
 * knobs' pace. One request at a time; what a client sends ahead waits.
 *
 * <p>Threading: the connection's event loop. Ownership: releases every buffer it receives, also the
 * ones still waiting when the connection closes.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
final class StoreConnection extends ChannelInboundHandlerAdapter {
  private static final int LINGER_SECONDS = 5;

  private final Knobs knobs;
  private final SplittableRandom random;
  private final StoreCounters counters;
  private final HeadScanner head = new HeadScanner();
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
  private final Pace pace;
  private long toDrain;
  private boolean busy;
  private boolean working;
  private boolean closing;
  private boolean refused;
  private Answer.@Nullable Bytes body;
  private long sent;
  private boolean ticking;
  private boolean pumping;

  StoreConnection(Knobs knobs, SplittableRandom random, StoreCounters counters) {
    this.knobs = knobs;
    this.random = random;
    this.counters = counters;
    this.pace = new Pace(knobs.bytesPerSecond(), System.nanoTime());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    waiting.add((ByteBuf) message);
    work(context);
  }

  private void work(ChannelHandlerContext context) {
    if (working) {
      return;
    }
    working = true;
    while (!busy && !waiting.isEmpty()) {
      ByteBuf in = waiting.element();
      take(context, in);
      if (!in.isReadable()) {
        waiting.remove().release();
      }
    }
    working = false;
  }

  private void take(ChannelHandlerContext context, ByteBuf in) {
    if (refused) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (toDrain > 0) {
      int count = (int) Math.min(toDrain, in.readableBytes());
      in.skipBytes(count);
      toDrain -= count;
      counters.received(count);
    } else if (head.collect(in)) {
      begin(context);
    } else {
      return;
    }
    if (toDrain == 0 && !busy) {
      busy = true;
      answerLater(context, ObjectRules.answer(head));
    }
  }

  private void begin(ChannelHandlerContext context) {
    counters.request();
    toDrain = Math.max(0, head.number("content-length"));
    closing = "close".equalsIgnoreCase(head.header("connection"));
    if (head.header("transfer-encoding") != null) {
      closing = true;
      refused = true;
      busy = true;
      answer(context, Answer.error("411 Length Required", "MissingContentLength", false));
    } else if (toDrain > 0 && "100-continue".equalsIgnoreCase(head.header("expect"))) {
      context.writeAndFlush(
          ByteBufUtil.writeAscii(context.alloc(), "HTTP/1.1 100 Continue\r\n\r\n"));
    }
  }

  private void answerLater(ChannelHandlerContext context, Answer answer) {
    long delay = knobs.firstByte().toNanos();
    if (knobs.stallShare() > 0 && random.nextDouble() < knobs.stallShare()) {
      counters.stall();
      delay += knobs.stall().toNanos();
    }
    if (delay == 0) {
      answer(context, answer);
    } else {
      context.executor().schedule(() -> answer(context, answer), delay, TimeUnit.NANOSECONDS);
    }
  }

  private void answer(ChannelHandlerContext context, Answer answer) {
    context.write(ByteBufUtil.writeAscii(context.alloc(), answer.head()));
    sent = 0;
    switch (answer) {
      case Answer.Text text -> {
        body = null;
        context.write(Unpooled.wrappedBuffer(text.body()));
      }
      case Answer.Bytes bytes -> body = bytes;
    }
    pump(context);
  }

  private void pump(ChannelHandlerContext context) {
    if (!busy || pumping) {
      return;
    }
    // writing and flushing can call back here when the channel's writability changes
    pumping = true;
    boolean paced = false;
    do {
      while (left() > 0 && context.channel().isWritable() && !paced) {
        paced = !writePiece(context);
      }
      context.flush();
    } while (left() > 0 && context.channel().isWritable() && !paced);
    pumping = false;
    if (left() == 0) {
      finish(context);
    } else if (paced) {
      tick(context);
    }
  }

  private long left() {
    return body == null ? 0 : body.length() - sent;
  }

  private boolean writePiece(ChannelHandlerContext context) {
    Answer.Bytes bytes = Objects.requireNonNull(body);
    long allowed = pace.allowed(System.nanoTime(), left());
    if (allowed == 0) {
      return false;
    }
    ByteBuf piece = Content.slice(bytes.n(), bytes.first() + sent, allowed);
    int count = piece.readableBytes();
    sent += count;
    pace.took(count);
    counters.sent(count);
    context.write(piece);
    return true;
  }

  private void tick(ChannelHandlerContext context) {
    if (!ticking && context.channel().isActive()) {
      ticking = true;
      context
          .executor()
          .schedule(
              () -> {
                ticking = false;
                pump(context);
              },
              pace.waitNanos(),
              TimeUnit.NANOSECONDS);
    }
  }

  private void finish(ChannelHandlerContext context) {
    busy = false;
    body = null;
    if (refused) {
      linger(context);
    } else if (closing) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    } else {
      work(context);
    }
  }

  /**
   * Closes the sending half and reads on until the client closes. A close while the refused body is
   * still arriving would reset the connection, and the client could lose the answer (RFC 9112,
   * section 9.6).
   */
  private void linger(ChannelHandlerContext context) {
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(done -> ((DuplexChannel) context.channel()).shutdownOutput());
    context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    work(context);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    pump(context);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    busy = false;
    body = null;
    while (!waiting.isEmpty()) {
      waiting.remove().release();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof IOException)) {
      context.fireExceptionCaught(cause);
    }
    context.close();
  }
}
