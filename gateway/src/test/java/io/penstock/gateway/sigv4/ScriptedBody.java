package io.penstock.gateway.sigv4;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A source that delivers given buffers as fast as it may, then ends; buffers left over are
 * released.
 */
final class ScriptedBody implements BodyStream {
  private final Queue<ByteBuf> left;
  private Sink sink;
  private boolean paused;
  private boolean delivering;
  private boolean ended;
  private boolean cancelled;

  ScriptedBody(List<ByteBuf> buffers) {
    left = new ArrayDeque<>(buffers);
  }

  boolean isCancelled() {
    return cancelled;
  }

  @Override
  public long length() {
    return -1;
  }

  @Override
  public void start(Sink target) {
    sink = target;
    deliver();
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
    deliver();
  }

  @Override
  public void cancel() {
    cancelled = true;
    left.forEach(ByteBuf::release);
    left.clear();
  }

  private void deliver() {
    if (delivering || sink == null) {
      return;
    }
    delivering = true;
    while (!paused && !cancelled && !ended) {
      ByteBuf next = left.poll();
      if (next != null) {
        sink.data(next);
      } else {
        ended = true;
        sink.end();
      }
    }
    delivering = false;
  }
}
