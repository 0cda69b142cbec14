package io.penstock.gateway.testing;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Collects a body and says how it ended. Checks the contract of {@link BodyStream} on the way: no
 * empty buffer, nothing after the end, nothing while paused.
 *
 * <p>Threading: filled on the event loop; {@link #await} is for the test's thread.
 */
public final class SinkProbe implements BodyStream.Sink {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private Runnable onData = () -> {};
  private boolean mustBeQuiet;
  private boolean keep = true;
  private long size;

  /** Runs after each buffer, on the event loop. */
  public SinkProbe onData(Runnable action) {
    onData = action;
    return this;
  }

  /** Counts only. */
  public SinkProbe counting() {
    keep = false;
    return this;
  }

  /** From now on a buffer is a fault (the stream was paused or cancelled). */
  public void mustBeQuiet(boolean quiet) {
    mustBeQuiet = quiet;
  }

  public long size() {
    return size;
  }

  @Override
  public void data(ByteBuf buffer) {
    try {
      if (mustBeQuiet || whole.isDone() || !buffer.isReadable()) {
        whole.obtrudeException(
            new AssertionError(
                "unexpected buffer of " + buffer.readableBytes() + " bytes, quiet " + mustBeQuiet));
      }
      size += buffer.readableBytes();
      if (keep) {
        byte[] copy = new byte[buffer.readableBytes()];
        buffer.readBytes(copy);
        bytes.writeBytes(copy);
      }
    } finally {
      buffer.release();
    }
    onData.run();
  }

  @Override
  public void end() {
    if (!whole.complete(bytes.toByteArray())) {
      whole.obtrudeException(new AssertionError("ended twice"));
    }
  }

  @Override
  public void failed(Throwable cause) {
    if (!whole.completeExceptionally(cause)) {
      whole.obtrudeException(new AssertionError("failed after an end", cause));
    }
  }

  /** The whole body; throws what it failed with. */
  public byte[] await() throws Throwable {
    try {
      return whole.get(Gate.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    } catch (TimeoutException e) {
      throw new AssertionError("the body neither ended nor failed; " + size + " bytes came", e);
    }
  }

  public boolean isDone() {
    return whole.isDone();
  }
}
