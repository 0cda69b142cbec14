package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.BatchWriter;
import io.penstock.arrow.ipc.BodyCompressor;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.wire.BatchSchema;
import io.penstock.gateway.batch.landing.Landing;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends finished batches, one at a time. Large ones are put together, and all are compressed, by a
 * codec thread.
 *
 * <p>Threading: the event loop.
 */
final class Emission {
  /** Rows that cost less to put together than to hand to another thread. */
  private static final int FEW_ROWS = 2048;

  private final Landing landing;
  private final RunMemory memory;
  private final Threads threads;
  private final Compression compression;
  private final Supplier<BatchSchema> schema;
  private @Nullable BatchWriter writer;
  private volatile BlockSource blocks =
      bytes -> {
        throw new IllegalStateException("nothing is compressed now");
      };
  private Future<Void> last = Future.succeededFuture();

  /** Who does the work, and where its end is told. */
  record Threads(Executor codec, Executor loop) {}

  /**
   * A stream whose schema is asked for when it begins: for tables, that is when the first batch is
   * sealed.
   */
  Emission(
      Supplier<BatchSchema> schema,
      Compression compression,
      Landing landing,
      RunMemory memory,
      Threads threads) {
    this.landing = landing;
    this.memory = memory;
    this.threads = threads;
    this.compression = compression;
    this.schema = schema;
  }

  /** Whether anything was sent. */
  boolean hasBegun() {
    return writer != null;
  }

  /** Bytes to claim before {@code batch} is sealed. */
  long sealing(Assembly batch) {
    return batch.sealing();
  }

  /** Seals a complete batch, with the bytes that were claimed for it; completes on the loop. */
  Future<Sealed> seal(Assembly batch, long claimed) {
    if (claimed == 0 && batch.rows() <= FEW_ROWS) {
      return onLoop(() -> CompletableFuture.completedStage(batch.seal(0)));
    }
    return onCodec(() -> CompletableFuture.completedStage(batch.seal(claimed)));
  }

  /**
   * Bytes to claim before a batch is sent: compressed buffers and, for those in several pieces, a
   * copy to compress from.
   */
  long room(Sealed batch) {
    return compression == Compression.NONE
        ? 0
        : 2 * batch.bytes() + batch.bytes() / 64 + (64L << 10) + 512L * batch.rows();
  }

  /**
   * Sends a sealed batch, which is used up then, as the claimed {@code room} is.
   *
   * @return completes on the loop when the next one may come
   */
  Future<Void> send(Sealed batch, long room) {
    last =
        begin()
            .onFailure(_ -> batch.release())
            .compose(out -> room == 0 ? plain(out, batch) : packed(out, batch, room));
    return last;
  }

  private Future<BatchWriter> begin() {
    BatchWriter open = writer;
    if (open != null) {
      return Future.succeededFuture(open);
    }
    BatchWriter opened;
    try {
      opened =
          new BatchWriter(
              schema.get().arrow(),
              landing,
              new BodyCompressor(compression, n -> blocks.allocate(n)));
    } catch (IllegalArgumentException e) {
      // two columns of a table have one name
      return Future.failedFuture(
          new S3Exception(S3Error.INVALID_REQUEST, String.valueOf(e.getMessage())));
    }
    writer = opened;
    return onLoop(opened::begin).map(opened);
  }

  private Future<Void> plain(BatchWriter out, Sealed batch) {
    if (batch.rows() == 0) {
      batch.release();
      return Future.succeededFuture();
    }
    if (batch.rows() <= FEW_ROWS) {
      return onLoop(() -> out.write(batch.rows(), batch.columns()));
    }
    return onCodec(() -> out.write(batch.rows(), batch.columns()));
  }

  private Future<Void> packed(BatchWriter out, Sealed batch, long room) {
    ClaimedBlocks claimed = new ClaimedBlocks(memory, room);
    blocks = claimed;
    return onCodec(
        () -> {
          try (claimed) {
            return out.write(batch.rows(), batch.columns());
          }
        });
  }

  /** Ends a complete stream. */
  Future<Void> end() {
    return begin().compose(out -> onLoop(out::end)).compose(_ -> landing.done());
  }

  /** Ends a stream that has begun and is not complete, after what is being sent. */
  Future<Void> fail(StreamError error) {
    BatchWriter open = Objects.requireNonNull(writer);
    return last.transform(_ -> onLoop(() -> open.fail(error))).compose(_ -> landing.done());
  }

  private <T> Future<T> onCodec(Supplier<CompletionStage<T>> step) {
    Promise<T> done = Promise.promise();
    threads.codec().execute(() -> tell(step, done));
    return done.future();
  }

  private <T> Future<T> onLoop(Supplier<CompletionStage<T>> step) {
    Promise<T> done = Promise.promise();
    tell(step, done);
    return done.future();
  }

  private <T> void tell(Supplier<CompletionStage<T>> step, Promise<T> done) {
    CompletionStage<T> taken;
    try {
      taken = step.get();
    } catch (RuntimeException e) {
      threads.loop().execute(() -> done.fail(e));
      return;
    }
    var _ =
        taken.whenComplete(
            (result, failure) ->
                threads
                    .loop()
                    .execute(
                        () -> {
                          if (failure == null) {
                            done.complete(result);
                          } else {
                            done.fail(failure);
                          }
                        }));
  }
}
