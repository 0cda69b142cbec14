package io.penstock.gateway.batch;

import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.BatchRequestReader;
import io.penstock.arrow.wire.RequestLimits;
import io.penstock.arrow.wire.RequestResult;
import io.penstock.arrow.wire.RequestResult.RequestProblem;
import io.penstock.config.BatchConfig;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/**
 * Reads requests: short ones at once, long ones on a codec thread.
 *
 * <p>Threading: the event loop.
 */
final class RequestParsing {
  private static final int SHORT = 32 << 10;

  private final Executor codec;
  private final Executor loop;

  RequestParsing(Executor codec, Executor loop) {
    this.codec = codec;
    this.loop = loop;
  }

  /** The request in {@code body}; fails with what is wrong with it. */
  Future<BatchRequest> parse(byte[] body, BatchConfig config) {
    RequestLimits limits =
        new RequestLimits(config.maxRequest().bytes(), config.maxItems(), config.maxBatchSize());
    if (body.length > SHORT) {
      return onCodec(() -> read(body, limits));
    }
    try {
      return Future.succeededFuture(read(body, limits));
    } catch (S3Exception e) {
      return Future.failedFuture(e);
    }
  }

  /** Does blocking or long work on a codec thread and comes back. */
  <T> Future<T> onCodec(Callable<T> work) {
    Promise<T> done = Promise.promise();
    codec.execute(
        () -> {
          try {
            T result = work.call();
            loop.execute(() -> done.complete(result));
          } catch (Exception e) {
            loop.execute(() -> done.fail(e));
          }
        });
    return done.future();
  }

  private static BatchRequest read(byte[] body, RequestLimits limits) {
    try {
      return switch (new BatchRequestReader(limits).read(new ByteArrayInputStream(body))) {
        case RequestResult.Accepted(var request) -> request;
        case RequestResult.Rejected(var problem) -> throw refusal(problem);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static S3Exception refusal(RequestProblem problem) {
    S3Error error =
        switch (problem.kind()) {
          case SYNTAX -> S3Error.MALFORMED_JSON;
          case MEANING -> S3Error.INVALID_ARGUMENT;
          case TOO_LARGE -> S3Error.ENTITY_TOO_LARGE;
        };
    return new S3Exception(error, problem.text());
  }
}
