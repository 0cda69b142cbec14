package io.penstock.sink.client;

import java.nio.ByteBuffer;

/**
 * Sees the bytes of a stream as they were received, for whoever stores them: what was kept, in its
 * order, is one complete Arrow stream, over resumed connections too.
 *
 * <p>Threading: the thread that reads the stream.
 */
public interface StreamTap {
  /** A tap that sees nothing. */
  StreamTap NONE =
      new StreamTap() {
        @Override
        public void received(ByteBuffer bytes) {}

        @Override
        public void keep() {}

        @Override
        public void drop() {}
      };

  /** Bytes that came; the buffer is read now or never. */
  void received(ByteBuffer bytes);

  /** All since the last {@code keep} or {@code drop} belongs to the stream. */
  void keep();

  /** All since the last {@code keep} or {@code drop} was in vain. */
  void drop();
}
