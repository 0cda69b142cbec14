package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import org.jspecify.annotations.Nullable;

/**
 * Moves a request body from its stream to a connection while that takes bytes. The last piece (the
 * head, where the body is empty) is held back until the stream says that it ended well, so that the
 * store never has a complete request whose checks failed.
 *
 * <p>Threading: the event loop of both.
 *
 * <p>Ownership: holds at most the last piece; {@link #stop} and {@link #detach} release it.
 */
final class BodySender implements BodyStream.Sink {

  /** Takes the pieces of a request. */
  interface Target {
    void write(ByteBuf piece);

    boolean isWritable();

    /** Everything was written; nothing is held back any more. */
    void bodySent();

    /** The request must not be completed. */
    void bodyFailed(UpstreamFailure.BodyFailed failure);
  }

  private final BodyStream stream;
  private final long length;
  private @Nullable Target target;
  private @Nullable ByteBuf last;
  private @Nullable Throwable failure;
  private long taken;
  private boolean started;
  private boolean ended;
  private boolean stopped;

  BodySender(UpstreamBody.Streaming body) {
    this.stream = body.stream();
    this.length = body.length();
  }

  /** Bytes that have left the stream. */
  long taken() {
    return taken;
  }

  boolean started() {
    return started;
  }

  /** Sends the head and then the body to this target. */
  void sendTo(ByteBuf head, Target target) {
    this.target = target;
    if (length == 0) {
      last = head;
    } else {
      target.write(head);
    }
    if (!started) {
      started = true;
      stream.start(this);
    } else if (failure != null) {
      failed(failure);
    } else if (ended) {
      end();
    } else {
      stream.resume();
    }
  }

  /** The target is gone before it took a byte; another one may follow. */
  void detach() {
    target = null;
    releaseLast();
    pause();
  }

  /** No more bytes are wanted. */
  void stop() {
    if (!stopped) {
      stopped = true;
      target = null;
      releaseLast();
      if (started && !ended) {
        stream.cancel();
      }
    }
  }

  void pause() {
    if (!stopped && !ended) {
      stream.pause();
    }
  }

  void resume() {
    if (!stopped && !ended) {
      stream.resume();
    }
  }

  @Override
  public void data(ByteBuf buffer) {
    Target to = target;
    if (stopped || to == null) {
      buffer.release();
      return;
    }
    taken += buffer.readableBytes();
    if (taken > length) {
      buffer.release();
      mismatch(to, "the body is longer than the announced " + length + " bytes");
    } else if (taken == length) {
      last = buffer;
    } else {
      to.write(buffer);
      if (!to.isWritable()) {
        stream.pause();
      }
    }
  }

  @Override
  public void end() {
    ended = true;
    Target to = target;
    if (stopped || to == null) {
      return;
    }
    if (taken != length) {
      mismatch(to, "the body ended after " + taken + " of " + length + " bytes");
      return;
    }
    if (last != null) {
      to.write(last);
      last = null;
    }
    to.bodySent();
  }

  @Override
  public void failed(Throwable cause) {
    ended = true;
    failure = cause;
    Target to = target;
    if (!stopped && to != null) {
      stop();
      to.bodyFailed(new UpstreamFailure.BodyFailed(cause));
    }
  }

  private void mismatch(Target to, String problem) {
    stop();
    to.bodyFailed(new UpstreamFailure.BodyFailed(new IllegalStateException(problem)));
  }

  private void releaseLast() {
    if (last != null) {
      last.release();
      last = null;
    }
  }
}
