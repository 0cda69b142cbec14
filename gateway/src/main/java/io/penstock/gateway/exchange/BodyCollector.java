package io.penstock.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads a small body whole: the XML of multi-delete, complete-multipart and bucket sub-resources.
 */
public final class BodyCollector implements BodyStream.Sink {
  private final BodyStream body;
  private final long limit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Promise<byte[]> done = Promise.promise();

  private BodyCollector(BodyStream body, long limit) {
    this.body = body;
    this.limit = limit;
  }

  /**
   * All bytes of {@code body}; fails with EntityTooLarge above {@code limit} without reading
   * further.
   */
  public static Future<byte[]> collect(BodyStream body, long limit) {
    if (body.length() > limit) {
      body.cancel();
      return Future.failedFuture(tooLarge(limit));
    }
    BodyCollector collector = new BodyCollector(body, limit);
    body.start(collector);
    return collector.done.future();
  }

  @Override
  public void data(ByteBuf buffer) {
    try {
      if (bytes.size() + (long) buffer.readableBytes() > limit) {
        body.cancel();
        done.tryFail(tooLarge(limit));
        return;
      }
      buffer.readBytes(bytes, buffer.readableBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      buffer.release();
    }
  }

  @Override
  public void end() {
    done.tryComplete(bytes.toByteArray());
  }

  @Override
  public void failed(Throwable cause) {
    done.tryFail(cause);
  }

  private static S3Exception tooLarge(long limit) {
    return new S3Exception(
        S3Error.ENTITY_TOO_LARGE,
        "This kind of request may have a body of at most " + limit + " bytes.");
  }
}
