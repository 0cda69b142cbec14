package io.penstock.gateway.server;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.exchange.ClientResponse;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A response on Vert.x. The head leaves in one write with the first bytes; buffers are written as
 * they are and released when the socket has taken them.
 *
 * <p>Threading: the event loop of the connection.
 */
final class VertxClientResponse implements ClientResponse {
  private final Vertx vertx;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final VertxClientBody body;
  private final BooleanSupplier draining;
  private final Runnable ended;
  private boolean headSet;
  private boolean over;
  private boolean flushed;
  private boolean closing;
  private long bytesWritten;
  private long firstByteNanos;
  private long blockedSince;
  private long held;
  private long waitingLimit;
  private @Nullable Runnable waiting;

  /**
   * The response to this request.
   *
   * @param draining whether connections are to be closed after their current response
   * @param ended runs once, when the response is complete
   */
  VertxClientResponse(
      Vertx vertx,
      HttpServerRequest request,
      VertxClientBody body,
      BooleanSupplier draining,
      Runnable ended) {
    this.vertx = vertx;
    this.request = request;
    this.response = request.response();
    this.body = body;
    this.draining = draining;
    this.ended = ended;
  }

  @Override
  public void head(ResponseHead head) {
    if (!gone()) {
      set(head);
    }
    headSet = true;
  }

  /** A field that cannot be sent leaves no trace, so that an error can be answered instead. */
  private void set(ResponseHead head) {
    response.setStatusCode(head.status());
    HttpFields fields = head.fields();
    try {
      for (int i = 0; i < fields.size(); i++) {
        response.headers().add(fields.name(i), fields.value(i));
      }
    } catch (IllegalArgumentException unsendable) {
      response.headers().clear();
      throw unsendable;
    }
    closing = mustClose();
    if (closing && request.version() != HttpVersion.HTTP_2) {
      response.headers().set("connection", "close");
    }
  }

  /**
   * The rest of a body that is too long to throw away, or that may never come, ends the connection.
   */
  private boolean mustClose() {
    if (draining.getAsBoolean()) {
      return true;
    }
    return !body.complete()
        && (body.mayNeverCome()
            || body.length() < 0
            || body.length() - body.bytesRead() > Drain.LIMIT);
  }

  @Override
  public boolean headSet() {
    return headSet;
  }

  @Override
  public void write(ByteBuf buffer) {
    if (gone()) {
      buffer.release();
      return;
    }
    count(buffer);
    if (!response.headWritten() && !response.headers().contains("content-length")) {
      response.setChunked(true);
    }
    long memory = memory(buffer);
    held += memory;
    response
        .write(BufferInternal.buffer(buffer))
        .onComplete(
            _ -> {
              buffer.release();
              held -= memory;
              progressed();
            });
  }

  /** A slice pins the whole buffer it was cut from. */
  private static long memory(ByteBuf buffer) {
    ByteBuf whole = buffer;
    for (ByteBuf next = whole.unwrap(); next != null; next = whole.unwrap()) {
      whole = next;
    }
    return whole.capacity();
  }

  @Override
  public boolean writable(long limit) {
    return gone() || (held < limit && !response.writeQueueFull());
  }

  @Override
  public void onWritable(long limit, Runnable action) {
    waiting = action;
    waitingLimit = limit;
    blockedSince = System.nanoTime();
    response.drainHandler(_ -> progressed());
  }

  private void progressed() {
    Runnable action = waiting;
    if (action == null) {
      return;
    }
    if (writable(waitingLimit)) {
      waiting = null;
      blockedSince = 0;
      action.run();
    } else {
      blockedSince = System.nanoTime();
    }
  }

  @Override
  public Future<Void> end(ByteBuf buffer) {
    if (gone()) {
      buffer.release();
      return Future.succeededFuture();
    }
    count(buffer);
    over = true;
    return ended(response.end(BufferInternal.buffer(buffer)).onComplete(_ -> buffer.release()));
  }

  @Override
  public Future<Void> end() {
    if (gone()) {
      return Future.succeededFuture();
    }
    over = true;
    return ended(response.end());
  }

  /** Until the last byte has left, the request counts, its memory is charged and patience runs. */
  private Future<Void> ended(Future<Void> written) {
    blockedSince = System.nanoTime();
    Promise<Void> taken = Promise.promise();
    written.onComplete(
        _ -> {
          finish();
          taken.complete();
        });
    return taken.future();
  }

  private void finish() {
    flushed = true;
    blockedSince = 0;
    if (body.complete()) {
      if (closing && request.version() != HttpVersion.HTTP_2) {
        response.endHandler(null);
        request.connection().close();
      }
      ended.run();
    } else {
      Drain.start(vertx, request, body, closing, ended);
    }
  }

  @Override
  public void reset() {
    if (flushed || (!over && response.closed())) {
      return;
    }
    boolean ending = over;
    over = true;
    blockedSince = 0;
    if (request.version() == HttpVersion.HTTP_2) {
      response.reset();
    } else {
      Connections.abort(request.connection());
    }
    if (!ending) {
      ended.run();
    }
  }

  @Override
  public long bytesWritten() {
    return bytesWritten;
  }

  @Override
  public long firstByteNanos() {
    return firstByteNanos;
  }

  /**
   * {@link System#nanoTime} since which the client has taken nothing of what waits for it; 0 when
   * nothing waits.
   */
  long blockedSince() {
    return blockedSince;
  }

  private boolean gone() {
    return over || response.closed();
  }

  private void count(ByteBuf buffer) {
    if (firstByteNanos == 0) {
      firstByteNanos = System.nanoTime();
    }
    bytesWritten += buffer.readableBytes();
  }
}
