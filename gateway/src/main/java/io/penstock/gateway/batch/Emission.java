package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.BatchWriter;
import io.penstock.arrow.ipc.BodyCompressor;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.wire.BatchSchema;
import io.penstock.gateway.batch.landing.Landing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

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
  private final BatchWriter writer;
  private volatile BlockSource blocks =
      bytes -> {
        throw new IllegalStateException("nothing is compressed now");
      };
  private Future<Void> last = Future.succeededFuture();
  private boolean begun;

  /** Who does the work, and where its end is told. */
  record Threads(Executor codec, Executor loop) {}

  Emission(
      BatchSchema schema,
      Compression compression,
      Landing landing,
      RunMemory memory,
      Threads threads) {
    this.landing = landing;
    this.memory = memory;
    this.threads = threads;
    this.compression = compression;
    this.writer =
        new BatchWriter(
            schema.arrow(), landing, new BodyCompressor(compression, n -> blocks.allocate(n)));
  }

  /** Whether anything was sent. */
  boolean hasBegun() {
    return begun;
  }

  /**
   * Bytes to claim before {@code batch} is sent: compressed buffers and, for those in several
   * pieces, a copy to compress from.
   */
  long room(Assembly batch) {
    return compression == Compression.NONE
        ? 0
        : 2 * batch.bytes() + batch.bytes() / 64 + (64L << 10) + 512L * batch.rows();
  }

  /**
   * Sends a complete batch, which is used up then, as the claimed {@code room} is.
   *
   * @return completes on the loop when the next one may come
   */
  Future<Void> send(Assembly batch, long room) {
    last = begin().compose(_ -> room == 0 ? plain(batch) : packed(batch, room));
    return last;
  }

  private Future<Void> begin() {
    if (begun) {
      return Future.succeededFuture();
    }
    begun = true;
    return onLoop(writer::begin);
  }

  private Future<Void> plain(Assembly batch) {
    if (batch.rows() <= FEW_ROWS) {
      return onLoop(() -> writer.write(batch.rows(), batch.seal()));
    }
    return onCodec(() -> writer.write(batch.rows(), batch.seal()));
  }

  private Future<Void> packed(Assembly batch, long room) {
    ClaimedBlocks claimed = new ClaimedBlocks(memory, room);
    blocks = claimed;
    return onCodec(
        () -> {
          try (claimed) {
            return writer.write(batch.rows(), batch.seal());
          }
        });
  }

  /** Ends a complete stream. */
  Future<Void> end() {
    return begin().compose(_ -> onLoop(writer::end)).compose(_ -> landing.done());
  }

  /** Ends a stream that has begun and is not complete, after what is being sent. */
  Future<Void> fail(StreamError error) {
    return last.transform(_ -> onLoop(() -> writer.fail(error))).compose(_ -> landing.done());
  }

  private Future<Void> onCodec(Supplier<CompletionStage<Void>> step) {
    Promise<Void> done = Promise.promise();
    threads.codec().execute(() -> tell(step, done));
    return done.future();
  }

  private Future<Void> onLoop(Supplier<CompletionStage<Void>> step) {
    Promise<Void> done = Promise.promise();
    tell(step, done);
    return done.future();
  }

  private void tell(Supplier<CompletionStage<Void>> step, Promise<Void> done) {
    CompletionStage<Void> taken;
    try {
      taken = step.get();
    } catch (RuntimeException e) {
      threads.loop().execute(() -> done.fail(e));
      return;
    }
    var _ =
        taken.whenComplete(
            (_, failure) ->
                threads
                    .loop()
                    .execute(
                        () -> {
                          if (failure == null) {
                            done.complete();
                          } else {
                            done.fail(failure);
                          }
                        }));
  }
}
