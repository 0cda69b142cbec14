package io.penstock.gateway.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.BodyStream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What to do with the bodies of answers that do not go to the client: read a short one to its end,
 * so that its connection can be used again, and give up on a long one.
 *
 * <p>Threading: the body's event loop.
 *
 * <p>Ownership: releases every buffer; keeps copies of at most {@link #MOST} bytes.
 */
final class SmallBody implements BodyStream.Sink {
  static final int MOST = 64 * 1024;

  private final BodyStream source;
  private final @Nullable ByteArrayOutputStream kept;
  private final Promise<Optional<byte[]>> whole = Promise.promise();
  private int size;

  private SmallBody(BodyStream source, boolean keep) {
    this.source = source;
    this.kept = keep ? new ByteArrayOutputStream() : null;
  }

  /** Reads and forgets. */
  static void discard(BodyStream body) {
    if (body.length() > MOST) {
      body.cancel();
    } else {
      body.start(new SmallBody(body, false));
    }
  }

  /** The whole body, or empty if it is too long or breaks. */
  static Future<Optional<byte[]>> read(BodyStream body) {
    SmallBody reader = new SmallBody(body, true);
    body.start(reader);
    return reader.whole.future();
  }

  /** A body that has been read already. */
  static BodyStream of(byte[] bytes) {
    return new Whole(bytes);
  }

  @Override
  public void data(ByteBuf buffer) {
    size += buffer.readableBytes();
    try {
      if (size > MOST) {
        source.cancel();
        whole.tryComplete(Optional.empty());
      } else if (kept != null) {
        byte[] copy = new byte[buffer.readableBytes()];
        buffer.readBytes(copy);
        kept.writeBytes(copy);
      }
    } finally {
      buffer.release();
    }
  }

  @Override
  public void end() {
    whole.tryComplete(Optional.ofNullable(kept).map(ByteArrayOutputStream::toByteArray));
  }

  @Override
  public void failed(Throwable cause) {
    whole.tryComplete(Optional.empty());
  }

  private static final class Whole implements BodyStream {
    private final byte[] bytes;
    private @Nullable Sink sink;
    private boolean paused;

    Whole(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void start(Sink to) {
      sink = to;
      if (bytes.length > 0) {
        to.data(Unpooled.wrappedBuffer(bytes));
      }
      finish();
    }

    @Override
    public void pause() {
      paused = true;
    }

    @Override
    public void resume() {
      paused = false;
      finish();
    }

    @Override
    public void cancel() {
      sink = null;
    }

    private void finish() {
      Sink to = sink;
      if (to != null && !paused) {
        sink = null;
        to.end();
      }
    }
  }
}
