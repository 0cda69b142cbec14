package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.wire.Delivery;
import io.penstock.config.BatchConfig;
import io.penstock.dpu.memory.BudgetExceededException;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.upstream.Timeline;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream from its first read to its last frame. Items are read in the order of the plan, many
 * at a time; a batch is sent when it is complete and the client has taken the one before. How far
 * it reads ahead is bounded in items, in batches and in bytes: the batch that is sent next may wait
 * for memory, the ones behind it only take what is plentiful. Whatever ends it, everything is given
 * back.
 *
 * <p>Threading: the event loop.
 */
final class BatchRun {
  private static final Logger LOG = LoggerFactory.getLogger(BatchRun.class);

  /** What the objects of a stream are taken to have before the first one is known. */
  private static final long FIRST_GUESS = 16 << 10;

  /**
   * Everything that one run works with.
   *
   * @param reading cancelled when nobody wants the items any more
   */
  record Parts(
      ItemReader reader,
      Lineup lineup,
      Emission emission,
      RunMemory memory,
      Cancellation reading,
      Timeline timeline,
      BatchObserver observer) {}

  private final RunPlan plan;
  private final Parts parts;
  private final BatchConfig config;
  private final boolean failing;
  private final Promise<Void> done = Promise.promise();
  private final Set<ItemRead> reads = new HashSet<>();
  private final MemoryWatch watch;
  private long started;
  private long sent;
  private long typical = FIRST_GUESS;
  private boolean claiming;
  private boolean sending;
  private boolean blocked;
  private @Nullable Sealed unsent;
  private boolean pumping;
  private boolean again;
  private boolean over;

  BatchRun(RunPlan plan, Delivery.OnError onError, BatchConfig config, Parts parts) {
    this.plan = plan;
    this.failing = onError == Delivery.OnError.FAIL;
    this.config = config;
    this.parts = parts;
    this.watch = new MemoryWatch(parts, config.memoryDeadline());
    parts.memory().onChange(watch::look);
  }

  /** Ends a run that has waited too long for memory while nothing was on its way to the client. */
  private final class MemoryWatch {
    private final Parts watched;
    private final Duration deadline;
    private Cancellation.@Nullable Registration timer;

    MemoryWatch(Parts watched, Duration deadline) {
      this.watched = watched;
      this.deadline = deadline;
    }

    void look() {
      boolean stuck = watched.memory().isWaiting() && (!sending || blocked) && !over;
      if (stuck && timer == null) {
        watched.observer().waited();
        timer = watched.timeline().after(deadline, BatchRun.this::starved);
      } else if (!stuck) {
        stop();
      }
    }

    void stop() {
      if (timer != null) {
        timer.close();
        timer = null;
      }
    }
  }

  /**
   * Runs to the end; completes when the client has everything, also if that is the word that the
   * stream failed. Fails if the client has gone, or for a reason that can still be the answer.
   */
  Future<Void> start() {
    pump();
    return done.future();
  }

  /** The client has gone. */
  void cancel() {
    finish(Future.failedFuture(new Relay.ClientGone()));
  }

  /** Does whatever can be done now; called whenever something has changed. */
  private void pump() {
    again = true;
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (again && !over) {
        again = false;
        emit();
        read();
      }
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      pumping = false;
    }
    watch.look();
  }

  private void read() {
    while (!over && !claiming && started < plan.size() && hasRoom()) {
      long sequence = started;
      long forBatch = parts.lineup().cost(sequence);
      long forItem = guess(sequence);
      long bytes = Math.addExact(forBatch, forItem);
      if (sequence < sent + plan.batchSize()) {
        claiming = true;
        parts
            .memory()
            .claim(
                sequence,
                bytes,
                () -> {
                  claiming = false;
                  begin(sequence, forBatch, forItem);
                  pump();
                });
      } else if (parts.memory().isPlentiful() && parts.memory().tryClaim(bytes)) {
        begin(sequence, forBatch, forItem);
      } else {
        return;
      }
    }
  }

  private boolean hasRoom() {
    return reads.size() < config.readsInFlight()
        && started - sent
            < config.readsInFlight() + (long) config.batchesAhead() * plan.batchSize();
  }

  private long guess(long sequence) {
    long limit = Math.min(config.maxItem().bytes(), parts.memory().ceiling() / 4);
    return plan.item(sequence)
        .item()
        .range()
        .map(range -> Math.min(range.length(), limit))
        .orElse(Math.min(typical, limit));
  }

  private void begin(long sequence, long forBatch, long forItem) {
    started++;
    try {
      parts.lineup().begin(sequence, forBatch);
    } catch (RuntimeException e) {
      parts.memory().giveBack(forItem);
      fail(e);
      return;
    }
    PlannedItem item = plan.item(sequence);
    long most = Math.min(config.maxItem().bytes(), parts.memory().ceiling() / 2);
    ItemRead[] self = new ItemRead[1];
    ItemRead read =
        new ItemRead(
            item, parts.memory(), forItem, most, outcome -> arrived(self[0], item, outcome));
    self[0] = read;
    reads.add(read);
    parts.reader().start(item.item(), read);
  }

  private void arrived(ItemRead read, PlannedItem item, ItemOutcome outcome) {
    reads.remove(read);
    if (outcome instanceof ItemOutcome.Read(var head, var _, var _) && head.size().isPresent()) {
      // rises at once, falls slowly: a claim that is too small costs a wait
      long size = head.size().getAsLong();
      typical = Math.max(size + size / 8, typical - typical / 16);
    }
    parts.lineup().put(item, outcome, this::pump);
  }

  private void emit() {
    if (over || sending) {
      return;
    }
    if (parts.lineup().isReady()) {
      Optional<ItemOutcome.Missing> missing = refused(parts.lineup().first());
      sending = true;
      if (missing.isPresent()) {
        refuse(missing.get());
      } else {
        send();
      }
    } else if (sent == plan.size()) {
      sending = true;
      parts.emission().end().onComplete(this::finish);
    }
  }

  private void send() {
    claim(parts.emission().sealing(parts.lineup().first()), this::seal);
  }

  private void seal(long claimed) {
    Assembly batch = parts.lineup().take();
    parts
        .emission()
        .seal(batch, claimed)
        .onComplete(
            result -> {
              if (over && result.succeeded()) {
                result.result().release();
              } else if (over) {
                batch.discard();
              } else if (result.failed()) {
                batch.discard();
                sending = false;
                fail(result.cause());
              } else {
                sealed(batch, result.result());
              }
            });
  }

  private void sealed(Assembly batch, Sealed sealed) {
    // a table shows only now whether it is one
    Optional<ItemOutcome.Missing> missing = refused(batch);
    if (missing.isPresent()) {
      sealed.release();
      refuse(missing.get());
      return;
    }
    unsent = sealed;
    claim(
        parts.emission().room(sealed),
        room -> {
          unsent = null;
          send(batch, sealed, room);
        });
  }

  private Optional<ItemOutcome.Missing> refused(Assembly batch) {
    return failing ? batch.firstMissing() : Optional.empty();
  }

  /** Goes on with so many bytes of memory, as the batch that is sent next. */
  private void claim(long bytes, LongConsumer next) {
    if (bytes == 0) {
      next.accept(0);
      return;
    }
    blocked = true;
    parts
        .memory()
        .claim(
            sent,
            bytes,
            () -> {
              blocked = false;
              next.accept(bytes);
            });
  }

  private void send(Assembly batch, Sealed sealed, long room) {
    long begun = System.nanoTime();
    parts
        .emission()
        .send(sealed, room)
        .onComplete(
            result -> {
              if (over) {
                return;
              }
              sending = false;
              if (result.failed()) {
                fail(result.cause());
                return;
              }
              sent += batch.rows();
              parts.observer().taken(sealed.bytes(), System.nanoTime() - begun);
              parts
                  .observer()
                  .batch(sealed.bytes(), batch.present(), batch.rows() - batch.present());
              pump();
            });
  }

  private void refuse(ItemOutcome.Missing item) {
    if (parts.emission().hasBegun()) {
      boolean retryable = item.status().http() >= 500;
      stop(new StreamError(item.status().code(), StoreAnswers.describe(item), retryable));
    } else {
      finish(Future.failedFuture(StoreAnswers.exception(item)));
    }
  }

  private void starved() {
    fail(
        new S3Exception(
            S3Error.SLOW_DOWN,
            "No memory for the next batch came free in time: ask for smaller batches or fewer at once,"
                + " or raise runtime.memory-budget.",
            Optional.of(Duration.ofSeconds(1))));
  }

  /** Something other than an item failed. */
  private void fail(Throwable cause) {
    if (over) {
      return;
    }
    S3Exception failure =
        switch (cause) {
          case S3Exception known -> known;
          case BlockExhaustedException full -> exhausted(String.valueOf(full.getMessage()));
          case BudgetExceededException full -> exhausted(String.valueOf(full.getMessage()));
          case Relay.ClientGone _ -> null;
          default -> {
            LOG.error("a batch stream failed inside the gateway", cause);
            yield new S3Exception(
                S3Error.INTERNAL_ERROR, "The gateway failed; its log has the reason.");
          }
        };
    if (failure == null || !parts.emission().hasBegun()) {
      finish(Future.failedFuture(failure == null ? cause : failure));
    } else {
      boolean retryable = failure.error().status() >= 500;
      stop(
          new StreamError(failure.error().code(), String.valueOf(failure.getMessage()), retryable));
    }
  }

  private static S3Exception exhausted(String message) {
    return new S3Exception(S3Error.SLOW_DOWN, message, Optional.of(Duration.ofSeconds(1)));
  }

  /** The client learns from the stream itself that it is not complete. */
  private void stop(StreamError error) {
    giveUp();
    parts.observer().failed(error.code());
    parts
        .emission()
        .fail(error)
        .onComplete(
            result -> {
              if (result.succeeded()) {
                done.complete();
              } else {
                done.fail(result.cause());
              }
            });
  }

  private void finish(AsyncResult<Void> result) {
    if (!over) {
      giveUp();
      if (result.succeeded()) {
        done.complete();
      } else {
        done.fail(result.cause());
      }
    }
  }

  private void giveUp() {
    over = true;
    watch.stop();
    parts.reading().cancel();
    Set<ItemRead> open = Set.copyOf(reads);
    reads.clear();
    open.forEach(ItemRead::cancel);
    parts.lineup().discard();
    if (unsent != null) {
      unsent.release();
      unsent = null;
    }
    parts.memory().close();
  }
}
