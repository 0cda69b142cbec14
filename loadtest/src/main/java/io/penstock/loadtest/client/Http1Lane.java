package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.penstock.loadtest.record.ErrorKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP/1.1 connection, opened again whenever it is lost. Requests are written as the bytes they
 * already are; received buffers are counted and released at once.
 *
 * <p>Threading: the worker's event loop. Ownership: releases every buffer it receives.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
final class Http1Lane extends ConnectedLane {
  private static final long RETRY_MILLIS = 20;

  private final Connector connector;
  private List<ByteBuf> upload = List.of();
  private int uploaded;

  Http1Lane(int number, Connector connector, Flight flight, Events events) {
    super(number, flight, events);
    this.connector = connector;
  }

  /** Opens the connection; tries again until it works or the lane is abandoned. */
  void connect() {
    if (abandoned()) {
      return;
    }
    connector.connect(
        new Wire(),
        this::up,
        (loop, kind) -> {
          refused(kind);
          loop.schedule(this::connect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        });
  }

  @Override
  void transmit(Channel wire, Shot shot) {
    Request request = shot.request();
    if (shot.ranged()) {
      ByteBuf head = request.head();
      wire.write(head.slice(head.readerIndex(), head.readableBytes() - 2));
      wire.write(ByteBufUtil.writeAscii(wire.alloc(), "range: " + shot.range() + "\r\n\r\n"));
    } else {
      wire.write(request.head().duplicate());
    }
    upload = request.body().parts();
    uploaded = 0;
    writeBody(wire);
  }

  private void writeBody(Channel wire) {
    while (uploaded < upload.size() && wire.isWritable()) {
      ByteBuf part = upload.get(uploaded++);
      int bytes = part.readableBytes();
      wire.write(part.duplicate())
          .addListener(
              written -> {
                if (written.isSuccess()) {
                  flight.uploaded(bytes);
                }
              });
    }
    wire.flush();
  }

  /** The handler of one connection; a new one each time. */
  private final class Wire extends ChannelInboundHandlerAdapter implements ResponseReader.Sink {
    private final ResponseReader reader = new ResponseReader(this);
    private boolean usable = true;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      try {
        reader.read(in);
      } catch (IllegalStateException | NumberFormatException e) {
        flight.fail(ErrorKind.PROTOCOL);
        usable = false;
      } finally {
        in.release();
      }
      if (!usable) {
        context.close();
      }
    }

    @Override
    public void head(int status) {
      flight.head(status);
    }

    @Override
    public void body(ByteBuf in, int count) {
      flight.body(in, count);
    }

    @Override
    public void end(boolean keepAlive) {
      // an answer before the whole body was sent leaves the connection in an unknown state
      usable = keepAlive && uploaded == upload.size();
      flight.end();
      if (usable) {
        offer();
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      writeBody(context.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (context.channel() == channel()) {
        reader.closed();
        down(ErrorKind.CLOSED);
        connect();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (!(cause instanceof IOException)) {
        flight.fail(ErrorKind.PROTOCOL);
      }
      context.close();
    }
  }
}
