package io.penstock.gateway.access;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Copies a body of known length into one buffer off-heap.
 *
 * <p>Threading: the event loop of the body.
 *
 * <p>Ownership: the buffer stays the caller's; nothing is written to it after the future has
 * completed.
 */
final class SourceBytes implements BodyStream.Sink {
  private final BodyStream body;
  private final ByteBuf into;
  private final Promise<Void> done = Promise.promise();

  private SourceBytes(BodyStream body, ByteBuf into) {
    this.body = body;
    this.into = into;
  }

  static Future<Void> collect(BodyStream body, ByteBuf into, Cancellation cancellation) {
    SourceBytes bytes = new SourceBytes(body, into);
    var registration = cancellation.onCancel(bytes::cancel);
    if (!bytes.done.future().isComplete()) {
      body.start(bytes);
    }
    return bytes.done.future().onComplete(_ -> registration.close());
  }

  private void cancel() {
    if (done.tryFail(new UpstreamFailure.Cancelled(true))) {
      body.cancel();
    }
  }

  @Override
  public void data(ByteBuf buffer) {
    try {
      if (done.future().isComplete()) {
        return;
      }
      if (buffer.readableBytes() > into.writableBytes()) {
        body.cancel();
        done.tryFail(new UpstreamFailure.Broken("more bytes came than were promised", true));
        return;
      }
      into.writeBytes(buffer);
    } finally {
      buffer.release();
    }
  }

  @Override
  public void end() {
    if (into.isWritable()) {
      done.tryFail(new UpstreamFailure.Broken("fewer bytes came than were promised", true));
    } else {
      done.tryComplete();
    }
  }

  @Override
  public void failed(Throwable cause) {
    done.tryFail(cause);
  }
}
