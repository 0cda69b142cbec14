package io.penstock.gateway.batch.landing;

import io.netty.buffer.ByteBuf;
import io.penstock.arrow.ipc.Frame;
import io.penstock.gateway.exchange.ClientResponse;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.upstream.Timeline;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream as the body of a response, as fast as the client takes it. Asks for the next frame
 * when all of the last one was handed to the socket. A client that takes nothing for the deadline
 * is cut off.
 *
 * <p>Threading: {@link #frame} from any thread, everything else on the event loop.
 *
 * <p>Ownership: of every frame's parts, until the socket has taken them.
 */
public final class StreamLanding implements Landing {
  /** Bytes on their way to the client before it must take some. */
  private static final long LIMIT = 2L * Pieces.BYTES;

  private final ClientResponse response;
  private final Executor loop;
  private final Timeline timeline;
  private final Duration deadline;
  private final Listener listener;
  private final Promise<Void> done = Promise.promise();
  private ArrayDeque<ByteBuf> pieces = new ArrayDeque<>();
  private Frame.Kind kind = Frame.Kind.SCHEMA;
  private CompletableFuture<Void> taken = new CompletableFuture<>();
  private Cancellation.@Nullable Registration timer;
  private boolean gone;

  /**
   * Hears what happens to a response.
   *
   * <p>Threading: the event loop.
   */
  public interface Listener {
    /** A frame is about to be written; before the first one the head is set. */
    void begins(Frame.Kind kind);

    /** The client takes nothing and will be cut off. */
    void tooSlow();
  }

  /** A landing in this response. */
  public StreamLanding(
      ClientResponse response,
      Executor loop,
      Timeline timeline,
      Duration deadline,
      Listener listener) {
    this.response = response;
    this.loop = loop;
    this.timeline = timeline;
    this.deadline = deadline;
    this.listener = listener;
  }

  @Override
  public CompletionStage<Void> frame(Frame frame) {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    loop.execute(() -> begin(frame, ready));
    return ready;
  }

  private void begin(Frame frame, CompletableFuture<Void> ready) {
    if (gone) {
      frame.release();
      ready.completeExceptionally(new Relay.ClientGone());
      return;
    }
    listener.begins(frame.kind());
    kind = frame.kind();
    taken = ready;
    pieces = Pieces.of(frame.parts());
    proceed();
  }

  private void proceed() {
    stopTimer();
    while (!gone && !pieces.isEmpty()) {
      if (pieces.size() == 1 && isLast()) {
        response.end(pieces.remove()).onComplete(_ -> done.tryComplete());
      } else if (response.writable(LIMIT)) {
        response.write(pieces.remove());
      } else {
        timer = timeline.after(deadline, this::tooSlow);
        response.onWritable(LIMIT, this::proceed);
        return;
      }
    }
    if (!gone) {
      taken.complete(null);
    }
  }

  private boolean isLast() {
    return kind == Frame.Kind.END || kind == Frame.Kind.FAILURE;
  }

  private void tooSlow() {
    listener.tooSlow();
    response.reset();
    abandon();
  }

  private void stopTimer() {
    if (timer != null) {
      timer.close();
      timer = null;
    }
  }

  @Override
  public Future<Void> done() {
    return done.future();
  }

  @Override
  public void abandon() {
    if (!gone) {
      gone = true;
      stopTimer();
      pieces.forEach(ByteBuf::release);
      pieces.clear();
      Relay.ClientGone left = new Relay.ClientGone();
      taken.completeExceptionally(left);
      done.tryFail(left);
    }
  }
}
