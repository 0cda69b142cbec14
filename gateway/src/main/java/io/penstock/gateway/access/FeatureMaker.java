package io.penstock.gateway.access;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.penstock.arrow.decode.DecodeException;
import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.transform.AppliedTransform;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Computes the features of one object: its bytes are charged, read off-heap, and computed in a lane
 * of its own beside those of the streams.
 *
 * <p>Threading: the event loop.
 */
final class FeatureMaker {
  private final AccessPoints points;
  private final MemoryBudget memory;
  private final Executor codec;
  private final Executor loop;

  FeatureMaker(AccessPoints points, MemoryBudget memory, Executor codec, Executor loop) {
    this.points = points;
    this.memory = memory;
    this.codec = codec;
    this.loop = loop;
  }

  /** What the objects of {@code point} look like. */
  Future<FeatureObject> describe(AccessPointConfig point) {
    Optional<FeatureObject> known = points.known(point);
    return known.isPresent()
        ? Future.succeededFuture(known.get())
        : on(codec, () -> points.learn(point));
  }

  /**
   * Reads {@code source} to its end and computes; whoever gets the sample closes it.
   *
   * @param keep is shown the sample, on a codec thread
   */
  Future<MadeSample> make(
      Exchange exchange, FeatureObject object, BodyStream source, Consumer<ByteBuffer> keep) {
    long bytes = source.length();
    MadeSample sample;
    try {
      sample = room(exchange, object, bytes);
    } catch (S3Exception | OutOfMemoryError refused) {
      source.cancel();
      return Future.failedFuture(refused);
    }
    ByteBuf read;
    try {
      read = PooledByteBufAllocator.DEFAULT.directBuffer((int) bytes, (int) bytes);
    } catch (OutOfMemoryError full) {
      sample.close();
      source.cancel();
      return Future.failedFuture(full);
    }
    return SourceBytes.collect(source, read, exchange.cancellation())
        .compose(_ -> compute(exchange, object, read, sample.place(), keep))
        .onComplete(
            done -> {
              read.release();
              if (done.failed()) {
                sample.close();
              } else {
                sample.shrink();
              }
            })
        .map(sample);
  }

  private MadeSample room(Exchange exchange, FeatureObject object, long source) {
    if (source < 0) {
      throw new S3Exception(
          S3Error.SERVICE_UNAVAILABLE, "The store did not say how long the object is: try again.");
    }
    if (source > Math.min(points.mostBytes(), Integer.MAX_VALUE)) {
      throw new S3Exception(
          S3Error.ENTITY_TOO_LARGE,
          "Features are made of objects of at most %d bytes here (batch.max-item), this has %d."
              .formatted(points.mostBytes(), source));
    }
    long payload = object.file().payload();
    long wanted = source + MadeSample.cost(payload);
    if (wanted > memory.usage(MemoryArea.BATCHES).limit() || payload > Integer.MAX_VALUE / 2) {
      throw new S3Exception(
          S3Error.ENTITY_TOO_LARGE,
          "The object and its features take %d bytes, more than this gateway has for them (runtime.memory-budget)."
              .formatted(wanted));
    }
    Reservation charged =
        memory
            .tryReserve(
                new MemoryClaim(MemoryArea.BATCHES, wanted, "object " + exchange.requestId()))
            .orElseThrow(
                () ->
                    new S3Exception(
                        S3Error.SLOW_DOWN,
                        "This gateway's memory for features is taken (runtime.memory-budget): try later.",
                        Optional.of(Duration.ofSeconds(1))));
    return new MadeSample((int) payload, charged);
  }

  private Future<Void> compute(
      Exchange exchange,
      FeatureObject object,
      ByteBuf source,
      ByteBuffer to,
      Consumer<ByteBuffer> keep) {
    ByteBuffer from = source.nioBuffer();
    return on(codec, () -> points.open(object.point(), exchange.requestId()))
        .compose(
            transform ->
                on(
                        transform.lane(),
                        () -> {
                          apply(transform, from, to);
                          keep.accept(to);
                          return transform;
                        })
                    .onComplete(_ -> transform.close()))
        .mapEmpty();
  }

  private static void apply(AppliedTransform transform, ByteBuffer from, ByteBuffer to) {
    try {
      transform.apply(from, to);
    } catch (DecodeException e) {
      throw new S3Exception(
          S3Error.UNDECODABLE_OBJECT,
          "The object has no features (%s): %s".formatted(e.fault().code(), e.getMessage()));
    }
  }

  private <T> Future<T> on(Executor executor, Callable<T> work) {
    Promise<T> done = Promise.promise();
    executor.execute(
        () -> {
          try {
            T result = work.call();
            loop.execute(() -> done.complete(result));
          } catch (Exception | LinkageError e) {
            loop.execute(() -> done.fail(e));
          }
        });
    return done.future();
  }
}
