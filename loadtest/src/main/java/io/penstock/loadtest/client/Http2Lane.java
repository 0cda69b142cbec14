package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.penstock.loadtest.record.ErrorKind;
import java.util.Iterator;

/**
 * Room for one stream at a time on an HTTP/2 connection.
 *
 * <p>Threading: the worker's event loop. Ownership: releases every frame it receives.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
final class Http2Lane extends ConnectedLane {
  private final String scheme;

  Http2Lane(int number, String scheme, Flight flight, Events events) {
    super(number, flight, events);
    this.scheme = scheme;
  }

  @Override
  void transmit(Channel wire, Shot shot) {
    new Http2StreamChannelBootstrap(wire)
        .handler(new Stream())
        .open()
        .addListener(
            (Future<Http2StreamChannel> opened) -> {
              if (opened.isSuccess()) {
                write(opened.getNow(), shot);
              } else {
                flight.fail(ErrorKind.CLOSED);
                offer();
              }
            });
  }

  private void write(Http2StreamChannel stream, Shot shot) {
    Iterator<ByteBuf> body = shot.request().body().parts().iterator();
    stream.writeAndFlush(new DefaultHttp2HeadersFrame(headers(shot), !body.hasNext()));
    while (body.hasNext()) {
      ByteBuf part = body.next();
      int bytes = part.readableBytes();
      stream
          .write(new DefaultHttp2DataFrame(part.duplicate(), !body.hasNext()))
          .addListener(
              written -> {
                if (written.isSuccess()) {
                  flight.uploaded(bytes);
                }
              });
    }
    stream.flush();
  }

  private Http2Headers headers(Shot shot) {
    Request request = shot.request();
    var headers = new DefaultHttp2Headers(false);
    headers.method(request.method()).path(request.target()).scheme(scheme);
    request
        .headers()
        .forEach(
            (name, value) -> {
              if (name.equals("host")) {
                headers.authority(value);
              } else {
                headers.add(name, value);
              }
            });
    return shot.ranged() ? headers.add("range", shot.range()) : headers;
  }

  /** The handler of one stream. */
  private final class Stream extends ChannelInboundHandlerAdapter {
    private boolean ended;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      try {
        switch (message) {
          case Http2HeadersFrame head -> {
            CharSequence status = head.headers().status();
            if (status != null) {
              flight.head(Integer.parseInt(status.toString()));
            }
            endIf(head.isEndStream());
          }
          case Http2DataFrame data -> {
            flight.body(data.content(), data.content().readableBytes());
            endIf(data.isEndStream());
          }
          case Http2ResetFrame _ -> lost();
          default -> {}
        }
      } finally {
        ReferenceCountUtil.release(message);
      }
    }

    private void endIf(boolean last) {
      if (last && !ended) {
        ended = true;
        flight.end();
        offer();
      }
    }

    private void lost() {
      if (!ended) {
        ended = true;
        flight.fail(ErrorKind.CLOSED);
        offer();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lost();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
