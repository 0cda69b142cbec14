package io.penstock.sink.ring;

import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingWriter;
import io.penstock.sink.client.StreamTap;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Puts a stream of a gateway elsewhere into the ring, message by message, as it came.
 *
 * <p>Threading: the thread that reads the stream, blocked while the ring is full.
 */
public final class RingTap implements StreamTap {
  private static final int END = 8;

  private final RingWriter ring;
  private ByteBuffer message = ByteBuffer.allocateDirect(1 << 20);
  private Frame.Kind next = Frame.Kind.SCHEMA;

  public RingTap(RingWriter ring) {
    this.ring = ring;
  }

  @Override
  public void received(ByteBuffer bytes) {
    if (message.remaining() < bytes.remaining()) {
      long wanted = 2L * (message.position() + (long) bytes.remaining());
      message =
          ByteBuffer.allocateDirect((int) Math.min(wanted, Integer.MAX_VALUE - 64))
              .put(message.flip());
    }
    message.put(bytes);
  }

  @Override
  public void keep() {
    int bytes = message.position();
    if (bytes == 0) {
      return;
    }
    Frame.Kind kind = bytes == END ? Frame.Kind.END : next;
    try {
      ring.write(new Frame(kind, List.of(new Received(message.flip()))));
    } catch (RingException e) {
      throw new UncheckedIOException(e);
    }
    next = Frame.Kind.BATCH;
    message.clear();
  }

  @Override
  public void drop() {
    message.clear();
  }

  private record Received(ByteBuffer whole) implements BodyPart {
    @Override
    public int bytes() {
      return whole.remaining();
    }

    @Override
    public ByteBuffer view() {
      return whole.duplicate();
    }

    @Override
    public void release() {}
  }
}
