package io.penstock.gateway.server;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.exchange.ClientBody;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body. HTTP/1.1 bytes come uncopied through the {@link BodyTap}, those of HTTP/2 from
 * Vert.x. Paused until started; after the answer whatever is left is thrown away by {@link
 * #discard}.
 *
 * <p>Threading: the event loop of the connection.
 */
final class VertxClientBody implements ClientBody {
  private final HttpServerRequest request;
  private final boolean expectContinue;
  private final long length;
  private final @Nullable BodyTap tap;
  private @Nullable Sink sink;
  private @Nullable S3Exception broken;
  private LongConsumer dropped = _ -> {};
  private Runnable ended = () -> {};
  private boolean continued;
  private boolean discarding;
  private boolean complete;
  private boolean over;
  private long bytesRead;
  private long waitingSince;

  /**
   * The body of this request.
   *
   * @param tap the connection's tap, or null where there is none (HTTP/2)
   */
  VertxClientBody(HttpServerRequest request, @Nullable BodyTap tap) {
    this.request = request;
    this.expectContinue = "100-continue".equalsIgnoreCase(request.getHeader("expect"));
    this.length = declaredLength(request);
    if (length == 0) {
      complete = true;
      this.tap = null;
      return;
    }
    boolean tapped = tap != null && tap.attach(this::onData, this::onBroken);
    this.tap = tapped ? tap : null;
    if (!tapped) {
      request.pause();
      request.handler(buffer -> onData(((BufferInternal) buffer).unwrap().retainedSlice()));
    }
    request.endHandler(_ -> onEnd());
  }

  /** Of a request that could not be read: nothing behind its head means anything. */
  static VertxClientBody unreadable(HttpServerRequest request) {
    return new VertxClientBody(request);
  }

  private VertxClientBody(HttpServerRequest request) {
    this.request = request;
    this.expectContinue = false;
    this.length = 0;
    this.tap = null;
    this.complete = true;
  }

  private static long declaredLength(HttpServerRequest request) {
    String contentLength = request.getHeader("content-length");
    if (contentLength != null) {
      try {
        return Long.parseLong(contentLength.trim());
      } catch (NumberFormatException _) {
        // the decoder has refused this head; it is only to be answered
        return -1;
      }
    }
    boolean chunked = request.getHeader("transfer-encoding") != null;
    boolean http2 = request.version() == HttpVersion.HTTP_2;
    String method = request.method().name();
    return chunked || (http2 && (method.equals("PUT") || method.equals("POST"))) ? -1 : 0;
  }

  @Override
  public boolean present() {
    return length != 0;
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void start(Sink target) {
    if (over) {
      return;
    }
    sink = target;
    if (broken != null) {
      fail(broken);
      return;
    }
    continueIfExpected();
    if (length == 0) {
      over = true;
      target.end();
    } else {
      resume();
    }
  }

  /**
   * Some clients (boto) only reuse a connection on which every expected interim answer came, even
   * for an empty body.
   */
  void continueIfExpected() {
    if (expectContinue && !continued && bytesRead == 0 && !request.response().headWritten()) {
      continued = true;
      request.response().writeContinue();
    }
  }

  /** Whether the client waits for a 100 before it sends anything. */
  boolean mayNeverCome() {
    return expectContinue && bytesRead == 0;
  }

  @Override
  public void pause() {
    if (!over && !complete) {
      waitingSince = 0;
      pauseSource();
    }
  }

  @Override
  public void resume() {
    if (!over && !complete) {
      waitingSince = System.nanoTime();
      resumeSource();
    }
  }

  @Override
  public void cancel() {
    over = true;
    waitingSince = 0;
    if (!complete && !discarding) {
      pauseSource();
    }
  }

  private void pauseSource() {
    if (tap != null) {
      tap.pause();
    } else {
      request.pause();
    }
  }

  private void resumeSource() {
    if (tap != null) {
      tap.resume();
    } else {
      request.resume();
    }
  }

  /**
   * Lets the rest of the body run through without keeping it; tells of each piece's size and of the
   * end.
   */
  void discard(LongConsumer onDropped, Runnable onEnd) {
    over = true;
    waitingSince = 0;
    if (complete) {
      onEnd.run();
      return;
    }
    dropped = onDropped;
    ended = onEnd;
    discarding = true;
    resumeSource();
  }

  /**
   * {@link System#nanoTime} since which the gateway has waited for the client's next byte; 0 when
   * it does not.
   */
  long waitingSince() {
    return waitingSince;
  }

  /** Gives up on the client: nothing came for too long, or the connection is gone. */
  void fail(S3Exception cause) {
    Sink target = sink;
    if (!over && target != null) {
      over = true;
      waitingSince = 0;
      target.failed(cause);
    }
  }

  void connectionLost() {
    complete = true;
    fail(
        new S3Exception(
            S3Error.INCOMPLETE_BODY, "The connection ended before the whole body had arrived."));
  }

  private void onData(ByteBuf bytes) {
    bytesRead += bytes.readableBytes();
    Sink target = sink;
    if (over || target == null || !bytes.isReadable()) {
      dropped.accept(bytes.readableBytes());
      bytes.release();
      return;
    }
    waitingSince = System.nanoTime();
    target.data(bytes);
  }

  /** HTTP itself cannot be read any further; the answer still reaches the client. */
  private void onBroken(Throwable cause) {
    broken =
        new S3Exception(
            S3Error.BAD_REQUEST,
            "The chunks of the body could not be read as HTTP: " + cause.getMessage());
    fail(broken);
  }

  private void onEnd() {
    complete = true;
    waitingSince = 0;
    ended.run();
    Sink target = sink;
    if (!over && target != null) {
      over = true;
      target.end();
    }
  }
}
