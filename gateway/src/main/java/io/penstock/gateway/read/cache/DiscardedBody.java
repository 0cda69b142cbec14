package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;

/** Reads a body to its end for its connection's or its fill's sake, and keeps nothing. */
final class DiscardedBody implements BodyStream.Sink {
  static final BodyStream.Sink SINK = new DiscardedBody();

  private DiscardedBody() {}

  @Override
  public void data(ByteBuf buffer) {
    buffer.release();
  }

  @Override
  public void end() {}

  @Override
  public void failed(Throwable cause) {}
}
