package io.penstock.arrow.ipc;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts buffers one after the other, each padded to a multiple of 64 bytes. Small heap pieces that
 * follow each other become one part: a sink pays for each part, and offsets and bitmaps are many.
 *
 * <p>Ownership: of every part added, until {@link #frame} or {@link #release}.
 */
final class FrameAssembly {
  private static final byte[] ZEROS = new byte[64];

  private final List<BodyPart> parts = new ArrayList<>();
  private ByteArrayOutputStream small = new ByteArrayOutputStream();
  private long bytes;

  /** Bytes so far, always a multiple of 64 between two buffers. */
  long bytes() {
    return bytes;
  }

  void add(BodyBuffer buffer) {
    long begin = bytes;
    buffer.parts().forEach(this::add);
    int padding = (int) (Messages.padded(bytes - begin) - (bytes - begin));
    small.write(ZEROS, 0, padding);
    bytes += padding;
  }

  private void add(BodyPart part) {
    bytes += part.bytes();
    if (part instanceof HeapPart(byte[] array, int length)) {
      small.write(array, 0, length);
    } else {
      flush();
      parts.add(part);
    }
  }

  private void flush() {
    if (small.size() > 0) {
      parts.add(new HeapPart(small.toByteArray()));
      small = new ByteArrayOutputStream();
    }
  }

  /** The frame of a batch that begins with {@code message}. */
  Frame frame(byte[] message) {
    flush();
    if (!parts.isEmpty() && parts.getFirst() instanceof HeapPart(byte[] array, int length)) {
      ByteArrayOutputStream joined = new ByteArrayOutputStream(message.length + length);
      joined.writeBytes(message);
      joined.write(array, 0, length);
      parts.set(0, new HeapPart(joined.toByteArray()));
    } else {
      parts.addFirst(new HeapPart(message));
    }
    return new Frame(Frame.Kind.BATCH, parts);
  }

  void release() {
    parts.forEach(BodyPart::release);
    parts.clear();
  }
}
