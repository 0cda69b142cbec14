package io.penstock.gateway.batch;

import io.netty.buffer.ByteBuf;
import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.TarIndexer;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the index of one archive: reads it from its beginning and lets contents go by. A content
 * longer than {@value #PASSED_OVER} bytes is passed over by a new read behind it. Nothing is kept
 * but headers, and all reads are of one version.
 *
 * <p>Threading: the event loop of the reader; the index is finished on a codec thread.
 */
final class ArchiveWalk implements BodyStream.Sink {
  /** About what a new read costs: 20 ms at 400 MB/s. */
  static final long PASSED_OVER = 8 << 20;

  private static final long LONGEST_ERROR = 64 << 10;

  private final ObjectReader objects;
  private final RequestParsing threads;
  private final Archives.Archive archive;
  private final Cancellation cancellation = new Cancellation();
  private final TarIndexer indexer;
  private final Promise<ArchiveIndex> done = Promise.promise();
  private @Nullable BodyStream body;
  private Optional<String> etag = Optional.empty();
  private long size = -1;
  private long offset;
  private boolean over;

  ArchiveWalk(
      ObjectReader objects, RequestParsing threads, Archives.Archive archive, DecodeLimits limits) {
    this.objects = objects;
    this.threads = threads;
    this.archive = archive;
    this.indexer = new TarIndexer(limits);
  }

  /** Fails with an {@link ItemFailedException}, or as the reader fails. */
  Future<ArchiveIndex> start() {
    read();
    return done.future();
  }

  /** Nobody waits for the index any more. */
  void cancel() {
    stop();
    cancellation.cancel();
    done.tryFail(new ItemFailedException(Archives.unavailable("nobody waits for it")));
  }

  private void read() {
    offset = indexer.position();
    HttpFields.Builder fields = HttpFields.builder();
    if (offset > 0) {
      fields.add("range", "bytes=" + offset + "-");
    }
    etag.ifPresent(version -> fields.add("if-match", version));
    objects
        .read(
            ItemReader.get(
                archive.bucket(), archive.key(), archive.versionId(), fields.build(), cancellation))
        .onComplete(this::answered);
  }

  private void answered(AsyncResult<UpstreamResponse> answer) {
    if (answer.failed()) {
      failed(answer.cause());
      return;
    }
    UpstreamResponse response = answer.result();
    if (over) {
      response.body().cancel();
      return;
    }
    int status = response.head().status();
    if (status == (offset > 0 ? 206 : 200)) {
      begin(response);
    } else if (status >= 400) {
      BodyCollector.collect(response.body(), LONGEST_ERROR)
          .onComplete(
              document ->
                  fail(
                      StoreAnswers.refused(
                          status, document.succeeded() ? document.result() : new byte[0])));
    } else {
      response.body().cancel();
      fail(Archives.unavailable("the store answered " + status));
    }
  }

  private void begin(UpstreamResponse response) {
    if (size < 0) {
      size = response.body().length();
      etag = response.head().fields().get("etag");
    }
    if (size < 0 || etag.isEmpty()) {
      response.body().cancel();
      fail(Archives.unavailable("the store names no length or no ETag"));
      return;
    }
    body = response.body();
    response.body().start(this);
  }

  @Override
  public void data(ByteBuf buffer) {
    try {
      if (!over) {
        accept(buffer);
      }
    } finally {
      buffer.release();
    }
  }

  private void accept(ByteBuf buffer) {
    try {
      indexer.accept(offset, MemorySegment.ofBuffer(buffer.nioBuffer()));
    } catch (DecodeException e) {
      stop();
      fail(Archives.damaged(e));
      return;
    }
    offset += buffer.readableBytes();
    if (indexer.ended() || indexer.position() >= size) {
      stop();
      finish();
    } else if (indexer.position() - offset > PASSED_OVER) {
      cancelBody();
      read();
    }
  }

  @Override
  public void end() {
    if (!over) {
      stop();
      finish();
    }
  }

  @Override
  public void failed(Throwable cause) {
    fail(StoreAnswers.failed(cause));
  }

  private void finish() {
    threads
        .onCodec(() -> indexer.finish(size))
        .onComplete(
            index -> {
              if (index.succeeded()) {
                done.tryComplete(new ArchiveIndex(etag.orElseThrow(), index.result()));
              } else if (index.cause() instanceof DecodeException damage) {
                fail(Archives.damaged(damage));
              } else {
                fail(StoreAnswers.of(S3Error.INTERNAL_ERROR, "the archive could not be indexed"));
              }
            });
  }

  private void fail(ItemStatus.Failed status) {
    over = true;
    done.tryFail(new ItemFailedException(status));
  }

  private void stop() {
    over = true;
    cancelBody();
  }

  private void cancelBody() {
    if (body != null) {
      body.cancel();
      body = null;
    }
  }
}
