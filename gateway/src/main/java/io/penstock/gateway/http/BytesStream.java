package io.penstock.gateway.http;

import io.netty.buffer.Unpooled;

/** A body that is already here. */
public final class BytesStream implements BodyStream {
  private final byte[] bytes;
  private boolean over;
  private boolean paused;
  private boolean delivered;
  private Sink sink = NOBODY;

  private static final Sink NOBODY =
      new Sink() {
        @Override
        public void data(io.netty.buffer.ByteBuf buffer) {
          buffer.release();
        }

        @Override
        public void end() {}

        @Override
        public void failed(Throwable cause) {}
      };

  public BytesStream(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public long length() {
    return bytes.length;
  }

  @Override
  public void start(Sink target) {
    sink = target;
    proceed();
  }

  private void proceed() {
    if (!delivered && !paused && !over) {
      delivered = true;
      if (bytes.length > 0) {
        sink.data(Unpooled.wrappedBuffer(bytes));
      }
    }
    if (delivered && !paused && !over) {
      over = true;
      sink.end();
    }
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
    if (sink != NOBODY) {
      proceed();
    }
  }

  @Override
  public void cancel() {
    over = true;
  }
}
