package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamResponse;
import org.jspecify.annotations.Nullable;

/**
 * One call on one connection: the request going out and its response coming in, which may overlap.
 * A response that comes before the whole request is sent ends the sending, and the connection
 * closes after it. A failure is reported once: to the call before the head has arrived, to the
 * response's body after it.
 *
 * <p>Threading: the connection's event loop.
 */
final class WireExchange
    implements ResponseDecoder.Events, ResponseBody.Source, BodySender.Target, WireCall.Holder {
  private final WireConnection connection;
  private final WireCall call;
  private final @Nullable BodySender sender;
  private @Nullable ResponseBody body;
  private boolean requestSent;

  WireExchange(WireConnection connection, WireCall call) {
    this.connection = connection;
    this.call = call;
    this.sender = call.sender();
  }

  /** Sends the request; {@code head} is its encoded head. */
  void begin(ByteBuf head) {
    call.heldBy(this);
    if (sender != null) {
      sender.sendTo(head, this);
      return;
    }
    requestSent = true;
    connection.write(head);
    if (call.request().body() instanceof UpstreamBody.Replayable(byte[] bytes)
        && bytes.length > 0) {
      connection.write(Unpooled.wrappedBuffer(bytes));
    }
  }

  /** Whether the socket should be read for this. */
  boolean wantsRead() {
    return body == null || body.wantsMore();
  }

  /** Whether it is the store's turn to do something. */
  boolean waitsForStore() {
    return body != null ? body.wantsMore() : requestSent || !connection.isWritable();
  }

  boolean isAnswered() {
    return body != null;
  }

  void writable() {
    if (sender != null) {
      sender.resume();
    }
  }

  /** The store takes no more bytes; it may still answer. */
  void unwritable() {
    if (sender != null) {
      sender.pause();
    }
  }

  /** Whether the call may go out again; if so, this has let go of it. */
  boolean handOver(boolean delivered) {
    if (body != null || !call.repeatable(delivered)) {
      return false;
    }
    if (sender != null) {
      sender.detach();
    }
    return true;
  }

  /** The connection is gone. */
  void failed(UpstreamFailure failure) {
    if (sender != null) {
      sender.stop();
    }
    call.failed(failure);
    if (body != null) {
      body.fail(failure);
    }
  }

  @Override
  public void head(ResponseHead head, long bodyLength) {
    if (!requestSent && sender != null) {
      sender.stop();
    }
    body = new ResponseBody(this, bodyLength);
    call.answered(new UpstreamResponse(head, body));
  }

  @Override
  public void data(ByteBuf buffer) {
    if (body == null) {
      buffer.release();
    } else {
      body.offer(buffer);
    }
  }

  @Override
  public void end(boolean keepAlive) {
    call.finished();
    connection.finished(keepAlive && requestSent);
    if (body != null) {
      body.finish();
    }
  }

  @Override
  public void demanded() {
    connection.demanded();
  }

  @Override
  public void abandoned() {
    connection.breakOff(new UpstreamFailure.Cancelled(true));
  }

  @Override
  public void cancelled(WireCall cancelled) {
    connection.breakOff(new UpstreamFailure.Cancelled(true));
  }

  @Override
  public void write(ByteBuf piece) {
    connection.write(piece);
  }

  @Override
  public boolean isWritable() {
    return connection.isWritable();
  }

  @Override
  public void bodySent() {
    requestSent = true;
  }

  @Override
  public void bodyFailed(UpstreamFailure.BodyFailed failure) {
    connection.breakOff(failure);
  }
}
