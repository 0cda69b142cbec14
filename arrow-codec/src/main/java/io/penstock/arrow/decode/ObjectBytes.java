package io.penstock.arrow.decode;

import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one object as they came from the store: one or more segments, in order. A decoder
 * reads them without copying where its library allows.
 *
 * <p>Threading: immutable; the segments must be reachable from the thread that decodes.
 *
 * <p>Ownership: the caller owns the segments and keeps them alive until the decoder returns.
 */
public final class ObjectBytes {

  private final List<MemorySegment> parts;
  private final long size;

  private ObjectBytes(List<MemorySegment> parts) {
    this.parts =
        parts.stream().filter(part -> part.byteSize() > 0).map(MemorySegment::asReadOnly).toList();
    this.size = this.parts.stream().mapToLong(MemorySegment::byteSize).sum();
  }

  public static ObjectBytes of(MemorySegment... parts) {
    return new ObjectBytes(List.of(parts));
  }

  public static ObjectBytes of(List<MemorySegment> parts) {
    return new ObjectBytes(parts);
  }

  public long size() {
    return size;
  }

  /** Copies {@code to.byteSize()} bytes, starting at {@code from}. */
  void copy(long from, MemorySegment to) {
    long skip = from;
    long done = 0;
    for (MemorySegment part : parts) {
      if (skip >= part.byteSize()) {
        skip -= part.byteSize();
        continue;
      }
      long count = Math.min(part.byteSize() - skip, to.byteSize() - done);
      MemorySegment.copy(part, skip, to, done, count);
      skip = 0;
      done += count;
      if (done == to.byteSize()) {
        return;
      }
    }
    if (done < to.byteSize()) {
      throw new IndexOutOfBoundsException("no %d bytes at %d".formatted(to.byteSize(), from));
    }
  }

  /** A copy of a short stretch, for headers; shorter where the object ends. */
  byte[] head(long from, int length) {
    byte[] head = new byte[Math.clamp(size - from, 0, length)];
    copy(from, MemorySegment.ofArray(head));
    return head;
  }

  /**
   * All bytes off-heap in one segment: the caller's own if it is one, else a copy in {@code arena}.
   */
  MemorySegment joined(Arena arena) {
    if (parts.size() == 1 && parts.getFirst().isNative()) {
      return parts.getFirst();
    }
    MemorySegment joined = arena.allocate(Math.max(size, 1), 64).asSlice(0, size);
    copy(0, joined);
    return joined;
  }

  /** A view of some of the bytes, without a copy. */
  ObjectBytes slice(long from, long length) {
    long start = 0;
    var slices = new ArrayList<MemorySegment>();
    for (MemorySegment part : parts) {
      long first = Math.max(from, start);
      long last = Math.min(from + length, start + part.byteSize());
      if (first < last) {
        slices.add(part.asSlice(first - start, last - first));
      }
      start += part.byteSize();
    }
    return new ObjectBytes(slices);
  }

  /** The bytes as a stream, for libraries that want one; it need not be closed. */
  InputStream stream() {
    return new InputStream() {
      private long at;

      @Override
      public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        if (at == size) {
          return length == 0 ? 0 : -1;
        }
        int count = (int) Math.min(length, size - at);
        copy(at, MemorySegment.ofArray(into).asSlice(offset, count));
        at += count;
        return count;
      }

      @Override
      public int available() {
        return (int) Math.min(Integer.MAX_VALUE, size - at);
      }
    };
  }
}
