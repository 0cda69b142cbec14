package io.penstock.gateway.sigv4;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.penstock.gateway.http.BodyStream;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.assertj.core.api.Assertions;

/** Keeps what arrives, and holds the stream to its contract; pauses at random if asked to. */
final class CollectingSink implements BodyStream.Sink {
  private final BodyStream stream;
  private final Random pauses;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean paused;
  boolean ended;
  Throwable failure;

  CollectingSink(BodyStream stream, Random pauses) {
    this.stream = stream;
    this.pauses = pauses;
  }

  /** Runs {@code stream} to its end or failure. */
  static CollectingSink drain(BodyStream stream) {
    return drain(stream, null);
  }

  static CollectingSink drain(BodyStream stream, Random pauses) {
    CollectingSink sink = new CollectingSink(stream, pauses);
    stream.start(sink);
    for (int i = 0; !sink.isOver() && i < 1_000_000; i++) {
      sink.paused = false;
      stream.resume();
    }
    Assertions.assertThat(sink.isOver()).as("the stream came to an end").isTrue();
    return sink;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  boolean isOver() {
    return ended || failure != null;
  }

  @Override
  public void data(ByteBuf buffer) {
    Assertions.assertThat(paused).as("no data while paused").isFalse();
    Assertions.assertThat(isOver()).as("no data after the end").isFalse();
    Assertions.assertThat(buffer.isReadable()).isTrue();
    bytes.writeBytes(ByteBufUtil.getBytes(buffer));
    buffer.release();
    if (pauses != null && pauses.nextBoolean()) {
      paused = true;
      stream.pause();
      if (pauses.nextInt(4) == 0) {
        paused = false;
        stream.resume();
      }
    }
  }

  @Override
  public void end() {
    Assertions.assertThat(isOver()).isFalse();
    ended = true;
  }

  @Override
  public void failed(Throwable cause) {
    Assertions.assertThat(isOver()).isFalse();
    failure = cause;
  }
}
