package io.penstock.dpu.transform.graph;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A protobuf message in pieces: fields written here, and segments of the file it came from, which
 * are not copied.
 *
 * <p>Threading: one thread.
 */
final class ProtoWriter {
  private final List<MemorySegment> pieces = new ArrayList<>();
  private ByteArrayOutputStream head = new ByteArrayOutputStream();
  private long bytes;

  ProtoWriter number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  ProtoWriter text(int field, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return message(field, MemorySegment.ofArray(utf8));
  }

  /** A field whose bytes are those of {@code content}. */
  ProtoWriter message(int field, MemorySegment content) {
    tag(field, content.byteSize());
    flush();
    pieces.add(content);
    bytes += content.byteSize();
    return this;
  }

  ProtoWriter message(int field, ProtoWriter content) {
    content.flush();
    tag(field, content.bytes);
    flush();
    pieces.addAll(content.pieces);
    bytes += content.bytes;
    return this;
  }

  /** The pieces that make up the message, in order. */
  List<MemorySegment> pieces() {
    flush();
    return List.copyOf(pieces);
  }

  private void tag(int field, long length) {
    varint(((long) field << 3) | 2);
    varint(length);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      head.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    head.write((int) rest);
  }

  private void flush() {
    if (head.size() > 0) {
      pieces.add(MemorySegment.ofArray(head.toByteArray()));
      bytes += head.size();
      head = new ByteArrayOutputStream();
    }
  }
}
