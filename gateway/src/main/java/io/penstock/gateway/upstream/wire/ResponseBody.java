package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of one response. Buffers go straight to the sink while it takes them; what arrives after
 * a pause waits here (at most what the socket had already been asked for) and the socket is not
 * read meanwhile. A break of the connection is reported after everything that came before it.
 *
 * <p>Threading: the connection's event loop.
 *
 * <p>Ownership: holds the buffers that wait; {@link #cancel} and a finished delivery leave none.
 */
final class ResponseBody implements BodyStream {

  /** The connection that fills this. */
  interface Source {
    /** The sink takes bytes again. */
    void demanded();

    /** Nobody wants the rest. */
    void abandoned();
  }

  private final Source source;
  private final long length;
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(2);
  private @Nullable Sink sink;
  private boolean paused = true;
  private boolean delivering;
  private boolean ended;
  private @Nullable Throwable failure;
  private boolean done;

  ResponseBody(Source source, long length) {
    this.source = source;
    this.length = length;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void start(Sink sink) {
    if (this.sink != null) {
      throw new IllegalStateException("a body is started once");
    }
    this.sink = sink;
    resume();
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    if (sink != null && paused) {
      paused = false;
      deliver();
    }
  }

  @Override
  public void cancel() {
    if (done) {
      return;
    }
    done = true;
    waiting.forEach(ByteBuf::release);
    waiting.clear();
    if (!ended && failure == null) {
      source.abandoned();
    }
  }

  /** Whether more bytes should be read from the socket. */
  boolean wantsMore() {
    return !done && !paused && waiting.isEmpty();
  }

  /** The next bytes. */
  void offer(ByteBuf buffer) {
    if (done) {
      buffer.release();
    } else if (paused || delivering || !waiting.isEmpty()) {
      waiting.add(buffer);
    } else {
      delivering = true;
      try {
        give(Objects.requireNonNull(sink), buffer);
      } finally {
        delivering = false;
      }
      if (!waiting.isEmpty() || ended || failure != null) {
        deliver();
      }
    }
  }

  /**
   * A sink that throws has lost bytes: it must not look like a broken connection that could be
   * resumed.
   */
  private void give(Sink to, ByteBuf buffer) {
    try {
      to.data(buffer);
    } catch (RuntimeException thrown) {
      cancel();
      to.failed(thrown);
    }
  }

  /** All bytes were offered. */
  void finish() {
    ended = true;
    deliver();
  }

  /** The rest will not come. */
  void fail(Throwable cause) {
    failure = cause;
    deliver();
  }

  private void deliver() {
    if (delivering || done || paused) {
      return;
    }
    Sink to = Objects.requireNonNull(sink);
    delivering = true;
    try {
      while (!paused && !done && !waiting.isEmpty()) {
        give(to, waiting.remove());
      }
    } finally {
      delivering = false;
    }
    if (done || paused) {
      return;
    }
    if (failure != null) {
      done = true;
      to.failed(failure);
    } else if (ended) {
      done = true;
      to.end();
    } else {
      source.demanded();
    }
  }
}
