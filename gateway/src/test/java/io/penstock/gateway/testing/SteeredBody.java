package io.penstock.gateway.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.BodyStream;

/**
 * A body that delivers what the test pushes, when it pushes it.
 *
 * <p>Threading: the event loop.
 */
public final class SteeredBody implements BodyStream {
  private final long length;
  private final Gate started = new Gate();
  private Sink sink;
  private Runnable onResume = () -> {};
  private boolean paused = true;
  private volatile boolean cancelled;

  public SteeredBody(long length) {
    this.length = length;
  }

  /** Runs whenever the stream is (re)started; the place to push from. */
  public SteeredBody onResume(Runnable action) {
    onResume = action;
    return this;
  }

  /** Opens when somebody starts the stream. */
  public Gate started() {
    return started;
  }

  public boolean isPaused() {
    return paused;
  }

  public boolean isCancelled() {
    return cancelled;
  }

  public void push(byte[] bytes) {
    push(Unpooled.wrappedBuffer(bytes));
  }

  public void push(ByteBuf buffer) {
    sink.data(buffer);
  }

  public void end() {
    sink.end();
  }

  public void fail(Throwable cause) {
    sink.failed(cause);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void start(Sink sink) {
    if (this.sink != null) {
      throw new IllegalStateException("started twice");
    }
    this.sink = sink;
    paused = false;
    started.open();
    onResume.run();
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    if (paused) {
      paused = false;
      onResume.run();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
