package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;

/**
 * The sending side of a connection. Pieces written in one turn of the event loop leave in one
 * system call. A failed write is reported but does not close anything: the store may have answered
 * before it stopped listening, and that answer is still to be read.
 *
 * <p>Threading: the channel's event loop.
 *
 * <p>Ownership: takes each piece over.
 */
final class RequestWriter {

  /** What became of the writes. */
  interface Events {
    void written();

    void writeFailed(Throwable cause);
  }

  private final Channel channel;
  private final Events events;
  private boolean flushing;
  private boolean delivered;

  RequestWriter(Channel channel, Events events) {
    this.channel = channel;
    this.events = events;
  }

  /** A new request begins. */
  void begin() {
    delivered = false;
  }

  /** Whether at least the request's head has gone to the socket. */
  boolean delivered() {
    return delivered;
  }

  void write(ByteBuf piece) {
    channel.write(piece).addListener(this::done);
    if (!flushing) {
      flushing = true;
      channel.eventLoop().execute(this::flush);
    }
  }

  void flush() {
    flushing = false;
    channel.flush();
  }

  private void done(Future<?> write) {
    if (write.isSuccess()) {
      delivered = true;
      events.written();
    } else {
      events.writeFailed(write.cause());
    }
  }
}
