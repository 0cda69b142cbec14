package io.penstock.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Carries one body to the client as fast as the client takes it: reads nothing while the client is
 * behind, and resets the source when the client has gone.
 *
 * <p>Threading: the event loop of the exchange.
 */
public final class Relay implements BodyStream.Sink {
  /** Reads a body to its end and keeps nothing. */
  public static final BodyStream.Sink IGNORE =
      new BodyStream.Sink() {
        @Override
        public void data(ByteBuf buffer) {
          buffer.release();
        }

        @Override
        public void end() {}

        @Override
        public void failed(Throwable cause) {}
      };

  private final Exchange exchange;
  private final BodyStream body;
  private final Promise<Void> done = Promise.promise();
  private long remaining;
  private boolean finished;

  private Relay(Exchange exchange, BodyStream body) {
    this.exchange = exchange;
    this.body = body;
    this.remaining = body.length();
  }

  /**
   * Sends {@code body} after the head that was already set. Completes when the last byte was handed
   * over; fails when the source broke or the client left.
   */
  public static Future<Void> send(Exchange exchange, BodyStream body) {
    Relay relay = new Relay(exchange, body);
    var registration = exchange.cancellation().onCancel(relay::clientGone);
    if (!relay.finished) {
      body.start(relay);
    }
    return relay.done.future().onComplete(_ -> registration.close());
  }

  @Override
  public void data(ByteBuf buffer) {
    if (finished) {
      buffer.release();
      return;
    }
    remaining -= body.length() >= 0 ? buffer.readableBytes() : 0;
    if (body.length() >= 0 && remaining == 0) {
      // the last bytes and the end of the response leave in one write
      finished = true;
      exchange.response().end(buffer).onComplete(_ -> done.complete());
      return;
    }
    exchange.response().write(buffer);
    long limit = exchange.window().bytes();
    if (!exchange.response().writable(limit)) {
      body.pause();
      exchange.response().onWritable(limit, body::resume);
    }
  }

  @Override
  public void end() {
    if (!finished) {
      finished = true;
      exchange.response().end().onComplete(_ -> done.complete());
    }
  }

  @Override
  public void failed(Throwable cause) {
    if (!finished) {
      finished = true;
      done.fail(cause);
    }
  }

  private void clientGone() {
    if (!finished) {
      finished = true;
      body.cancel();
      done.fail(new ClientGone());
    }
  }

  /** The client left before it had everything. */
  public static final class ClientGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientGone() {
      super("the client has gone", null, false, false);
    }
  }
}
