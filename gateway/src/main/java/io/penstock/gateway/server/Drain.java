package io.penstock.gateway.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * What happens to a body that is still on its way when its answer has been given: it is read and
 * thrown away, within {@link #LIMIT} bytes and {@link #MILLIS}, so that the client sees the answer
 * instead of a broken pipe.
 */
final class Drain {
  static final long LIMIT = 4L << 20;
  private static final long MILLIS = 2_000;

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final boolean close;
  private final Runnable ended;
  private long timer;
  private long drained;
  private boolean over;

  private Drain(Vertx vertx, HttpServerRequest request, boolean close, Runnable ended) {
    this.vertx = vertx;
    this.request = request;
    this.close = close;
    this.ended = ended;
  }

  static void start(
      Vertx vertx, HttpServerRequest request, VertxClientBody body, boolean close, Runnable ended) {
    Drain drain = new Drain(vertx, request, close, ended);
    drain.timer = vertx.setTimer(MILLIS, _ -> drain.finish(true));
    body.discard(drain::dropped, () -> drain.finish(false));
  }

  private void dropped(long bytes) {
    drained += bytes;
    if (drained > LIMIT) {
      finish(true);
    }
  }

  private void finish(boolean forced) {
    if (over) {
      return;
    }
    over = true;
    vertx.cancelTimer(timer);
    if (request.version() == HttpVersion.HTTP_2) {
      if (forced) {
        // only this stream ends; NO_ERROR asks the client to stop sending and to keep the answer
        request.response().reset(0);
      }
    } else if (forced || close) {
      request.connection().close();
    }
    ended.run();
  }
}
