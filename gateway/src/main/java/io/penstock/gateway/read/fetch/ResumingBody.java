package io.penstock.gateway.read.fetch;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A body that goes on over another connection when the one it comes from breaks. The sink sees one
 * stream, of one version of the object, each byte once. It fails if the store has the version no
 * longer, answers with anything but the missing bytes, or breaks {@link #MOST_WITHOUT_PROGRESS}
 * times while hardly anything arrives. Nothing is asked for while the sink is paused.
 *
 * <p>Threading: the event loop of the channel.
 *
 * <p>Ownership: passes buffers through and holds none.
 */
final class ResumingBody implements BodyStream, BodyStream.Sink {
  static final int MOST_WITHOUT_PROGRESS = 3;
  static final long PROGRESS = 64 * 1024;

  private final RestOfObject rest;
  private final UpstreamChannel store;
  private final UpstreamObserver observer;
  private final Cancellation cancellation = new Cancellation();
  private final Cancellation.Registration fromExchange;
  private @Nullable BodyStream current;
  private @Nullable Sink sink;
  private long delivered;
  private long deliveredAtBreak;
  private int resumes;
  private boolean paused;
  private boolean broken;
  private boolean unstarted;
  private boolean done;

  ResumingBody(
      RestOfObject rest,
      BodyStream first,
      UpstreamChannel store,
      UpstreamObserver observer,
      Cancellation cancellation) {
    this.rest = rest;
    this.current = first;
    this.store = store;
    this.observer = observer;
    this.fromExchange = cancellation.onCancel(this.cancellation::cancel);
  }

  @Override
  public long length() {
    return rest.length();
  }

  @Override
  public void start(Sink sink) {
    this.sink = sink;
    paused = false;
    Objects.requireNonNull(current).start(this);
  }

  @Override
  public void pause() {
    paused = true;
    if (current != null) {
      current.pause();
    }
  }

  @Override
  public void resume() {
    if (sink == null || !paused) {
      return;
    }
    paused = false;
    if (current != null && unstarted) {
      unstarted = false;
      current.start(this);
    } else if (current != null) {
      current.resume();
    } else if (broken) {
      goOn();
    }
  }

  @Override
  public void cancel() {
    finish();
    cancellation.cancel();
    if (current != null) {
      current.cancel();
      current = null;
    }
  }

  @Override
  public void data(ByteBuf buffer) {
    if (done) {
      buffer.release();
      return;
    }
    delivered += buffer.readableBytes();
    Objects.requireNonNull(sink).data(buffer);
  }

  @Override
  public void end() {
    if (done) {
      return;
    }
    current = null;
    if (delivered == rest.length()) {
      finish();
      Objects.requireNonNull(sink).end();
    } else {
      fail(new UpstreamFailure.Broken("the store sent fewer bytes than it announced", true));
    }
  }

  @Override
  public void failed(Throwable cause) {
    if (done) {
      return;
    }
    current = null;
    if (delivered - deliveredAtBreak >= PROGRESS) {
      resumes = 0;
    }
    deliveredAtBreak = delivered;
    boolean passing =
        cause instanceof UpstreamFailure.Broken || cause instanceof UpstreamFailure.TimedOut;
    if (!passing || cancellation.isCancelled() || resumes >= MOST_WITHOUT_PROGRESS) {
      fail(cause);
      return;
    }
    resumes++;
    broken = true;
    if (!paused) {
      goOn();
    }
  }

  private void goOn() {
    broken = false;
    if (delivered == rest.length()) {
      // only the end was missing
      end();
      return;
    }
    observer.resumed(rest.get().operation());
    store.send(rest.requestAfter(delivered, cancellation)).onComplete(this::resumed);
  }

  private void resumed(AsyncResult<UpstreamResponse> result) {
    if (result.failed()) {
      if (!done) {
        failed(result.cause());
      }
      return;
    }
    UpstreamResponse response = result.result();
    if (done) {
      response.body().cancel();
    } else if (!rest.isAnsweredBy(response, delivered)) {
      response.body().cancel();
      fail(
          new UpstreamFailure.Broken(
              "the object changed, or the store answered "
                  + response.head().status()
                  + " when asked for the rest of it",
              true));
    } else {
      current = response.body();
      unstarted = paused;
      if (!unstarted) {
        current.start(this);
      }
    }
  }

  private void finish() {
    done = true;
    fromExchange.close();
  }

  private void fail(Throwable cause) {
    finish();
    if (delivered > 0) {
      observer.truncated(rest.get().operation());
    }
    Objects.requireNonNull(sink).failed(cause);
  }
}
