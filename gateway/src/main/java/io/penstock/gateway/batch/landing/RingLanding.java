package io.penstock.gateway.batch.landing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.arrow.ipc.BatchStreamException;
import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ipc.InPlaceReader;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingWriter;
import io.penstock.config.BatchConfig.RingConfig;
import io.penstock.gateway.batch.BatchObserver;
import io.penstock.gateway.exchange.ClientResponse;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lands a stream in a ring of this machine, each frame copied once, into shared memory. The
 * response tells in lines of JSON how far it is, once a second, and how it ended. A client that
 * leaves ends the stream; a ring that nobody reads ends it too.
 *
 * <p>Threading: {@link #frame} from any thread; the ring is written by its own thread; everything
 * else on the event loop.
 *
 * <p>Ownership: of every frame's parts until they are copied, of the ring's mapping until the end.
 */
public final class RingLanding implements Landing {
  private static final long BETWEEN_LINES = Duration.ofSeconds(1).toNanos();
  private static final long UNREAD_LINES = 16 << 10;

  private final String name;
  private final RingWriter writer;
  private final ThreadPoolExecutor thread;
  private final Client client;
  private final BatchObserver observer;
  private final Promise<Void> done = Promise.promise();
  private long batches;
  private long bytes;
  private long told;
  private boolean broken;
  private boolean gone;

  /**
   * Who hears about it.
   *
   * @param begins runs before the first byte of the response, and before a failure
   */
  public record Client(
      ClientResponse response, Executor loop, LongSupplier nanos, Consumer<Frame.Kind> begins) {}

  private RingLanding(
      String name, RingLandings.Opened ring, Client client, BatchObserver observer) {
    this.name = name;
    this.writer = ring.writer();
    this.thread = ring.thread();
    this.client = client;
    this.observer = observer;
    observer.ringMapped(writer.capacity());
  }

  /**
   * A landing in the ring of that name, for a client at that address; fails with an {@link
   * S3Exception}.
   */
  public static Future<RingLanding> open(
      RingLandings rings, Asked asked, Client client, BatchObserver observer) {
    return rings
        .open(asked.name(), asked.peer(), asked.config(), client.loop())
        .map(ring -> new RingLanding(asked.name(), ring, client, observer));
  }

  /** Which ring, by whom, under which rules. */
  public record Asked(String name, String peer, RingConfig config) {}

  @Override
  public CompletionStage<Void> frame(Frame frame) {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    try {
      thread.execute(() -> write(frame, ready));
    } catch (RejectedExecutionException over) {
      frame.release();
      ready.completeExceptionally(new Relay.ClientGone());
    }
    return ready;
  }

  /** On the ring's thread. */
  private void write(Frame frame, CompletableFuture<Void> ready) {
    Frame.Kind kind = frame.kind();
    long size = frame.bytes();
    StreamError failure = kind == Frame.Kind.FAILURE ? reason(frame) : NONE;
    long waits = writer.waits();
    long cut = writer.cutOff();
    try {
      writer.write(frame);
      observer.ringWritten(size, writer.waits() > waits);
      client.loop().execute(() -> landed(kind, size, failure, ready));
    } catch (RingException | RuntimeException e) {
      client.loop().execute(() -> failed(kind, failure, e, ready));
    } finally {
      observer.ringConsumersCutOff(writer.cutOff() - cut);
    }
  }

  private static final StreamError NONE = new StreamError("", "", false);

  private static StreamError reason(Frame frame) {
    try {
      return new InPlaceReader(
              _ -> {
                throw new BlockExhaustedException("an error has no body");
              },
              ReadLimits.DEFAULT)
          .failure(frame);
    } catch (BatchStreamException e) {
      return new StreamError("InternalError", String.valueOf(e.getMessage()), true);
    }
  }

  private void landed(
      Frame.Kind kind, long size, StreamError failure, CompletableFuture<Void> ready) {
    if (gone) {
      ready.completeExceptionally(new Relay.ClientGone());
      return;
    }
    client.begins().accept(kind);
    bytes += size;
    switch (kind) {
      case SCHEMA -> line(status("landing"));
      case BATCH -> {
        batches++;
        long now = client.nanos().getAsLong();
        if (now - told >= BETWEEN_LINES && client.response().writable(UNREAD_LINES)) {
          told = now;
          line(status("landing"));
        }
      }
      case END -> end(status("complete"));
      case FAILURE -> end(status(failure));
    }
    ready.complete(null);
  }

  /** The ring cannot be written: the run learns it once, and then only the client is told. */
  private void failed(
      Frame.Kind kind, StreamError failure, Exception cause, CompletableFuture<Void> ready) {
    if (gone) {
      ready.completeExceptionally(new Relay.ClientGone());
    } else if (broken && kind == Frame.Kind.FAILURE) {
      client.begins().accept(kind);
      end(status(failure));
      ready.complete(null);
    } else {
      broken = true;
      S3Exception refusal = RingLandings.refusal(cause);
      ready.completeExceptionally(refusal);
    }
  }

  private JsonObject status(String state) {
    return new JsonObject()
        .put("ring", name)
        .put("state", state)
        .put("batches", batches)
        .put("bytes", bytes);
  }

  private JsonObject status(StreamError failure) {
    return status("failed")
        .put("code", failure.code())
        .put("message", failure.message())
        .put("retryable", failure.retryable());
  }

  private void line(JsonObject status) {
    client.response().write(bytes(status));
  }

  private void end(JsonObject status) {
    gone = true;
    letGo();
    client.response().end(bytes(status)).onComplete(_ -> done.tryComplete());
  }

  private static ByteBuf bytes(JsonObject line) {
    return Unpooled.wrappedBuffer((line.encode() + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private void letGo() {
    long mapped = writer.capacity();
    writer.cancel();
    thread.execute(
        () -> {
          writer.close();
          observer.ringMapped(-mapped);
        });
    thread.shutdown();
  }

  @Override
  public Future<Void> done() {
    return done.future();
  }

  @Override
  public void abandon() {
    if (!gone) {
      gone = true;
      letGo();
      done.tryFail(new Relay.ClientGone());
    }
  }
}
