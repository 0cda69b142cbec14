package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A body that a {@link Fill} copies from while it passes; the first byte waits for nothing.
 *
 * <p>Threading: the event loop of the body.
 *
 * <p>Ownership: passes buffers through and holds none.
 */
final class FillingBody implements BodyStream, BodyStream.Sink {
  private final BodyStream source;
  private final Fill fill;
  private @Nullable Sink sink;

  FillingBody(BodyStream source, Fill fill) {
    this.source = source;
    this.fill = fill;
  }

  @Override
  public long length() {
    return source.length();
  }

  @Override
  public void start(Sink to) {
    sink = to;
    source.start(this);
  }

  @Override
  public void pause() {
    source.pause();
  }

  @Override
  public void resume() {
    source.resume();
  }

  @Override
  public void cancel() {
    fill.finish();
    source.cancel();
  }

  @Override
  public void data(ByteBuf buffer) {
    fill.pass(buffer);
    Objects.requireNonNull(sink).data(buffer);
  }

  @Override
  public void end() {
    fill.finish();
    Objects.requireNonNull(sink).end();
  }

  @Override
  public void failed(Throwable cause) {
    fill.finish();
    Objects.requireNonNull(sink).failed(cause);
  }
}
