package io.penstock.arrow.ring;

import io.penstock.arrow.ring.RingException.Reason;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A mapped ring: its numbers, each read with acquire and written with release, and its data.
 *
 * <p>Threading: any thread; who may write which number is the format's rule.
 *
 * <p>Ownership: of the mapping; views into it end with {@link #close}.
 */
final class RingMemory implements AutoCloseable {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final Arena arena;
  private final MemorySegment all;
  private final MemorySegment data;

  private RingMemory(Arena arena, MemorySegment all, MemorySegment data) {
    this.arena = arena;
    this.all = all;
    this.data = data;
  }

  /** Maps a file whose header is there, and checks it. */
  static RingMemory map(FileChannel file) throws IOException {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new RingException(Reason.MALFORMED, "rings are little-endian, this machine is not");
    }
    long size = file.size();
    if (size < RingLayout.DATA) {
      throw new RingException(Reason.MALFORMED, "a file of %d bytes is no ring".formatted(size));
    }
    Arena arena = Arena.ofShared();
    boolean good = false;
    try {
      MemorySegment all = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
      RingMemory memory = new RingMemory(arena, all, all.asSlice(RingLayout.DATA));
      memory.check(size);
      good = true;
      return memory;
    } finally {
      if (!good) {
        arena.close();
      }
    }
  }

  private void check(long size) throws RingException {
    if (get(RingLayout.OF_MAGIC) != RingLayout.MAGIC) {
      throw new RingException(Reason.MALFORMED, "a file without the mark of a ring");
    }
    int version = word(RingLayout.OF_VERSION);
    if (version != RingLayout.VERSION) {
      throw new RingException(
          Reason.MALFORMED,
          "a ring of layout %d, this is Penstock with layout %d: use the same release on both sides"
              .formatted(version, RingLayout.VERSION));
    }
    if (word(RingLayout.OF_DATA) != RingLayout.DATA
        || word(RingLayout.OF_SLOTS) != RingLayout.SLOTS
        || capacity() != size - RingLayout.DATA
        || capacity() % RingLayout.RECORD != 0) {
      throw new RingException(Reason.MALFORMED, "a ring whose header does not fit its file");
    }
    long namespace = get(RingLayout.OF_NAMESPACE);
    if (namespace != ProcessTable.namespace()) {
      throw new RingException(
          Reason.INVALID,
          "the ring belongs to another process namespace: run gateway, sink and trainer in one"
              + " (hostPID or shareProcessNamespace)");
    }
  }

  long get(long offset) {
    return (long) LONG.getAcquire(all, offset);
  }

  void set(long offset, long value) {
    LONG.setRelease(all, offset, value);
  }

  int word(long offset) {
    return (int) INT.getAcquire(all, offset);
  }

  void word(long offset, int value) {
    INT.setRelease(all, offset, value);
  }

  /** The word itself, to wait on. */
  MemorySegment at(long offset) {
    return all.asSlice(offset, Integer.BYTES);
  }

  long capacity() {
    return get(RingLayout.OF_CAPACITY);
  }

  /** The bytes at a position of the stream, which must not reach over the end of the ring. */
  MemorySegment data(long position, long bytes) {
    return data.asSlice(position % data.byteSize(), bytes);
  }

  /** Where the schema is kept for those who join late: as many bytes as it may have. */
  MemorySegment schema() {
    return all.asSlice(RingLayout.SCHEMA, RingLayout.DATA - RingLayout.SCHEMA);
  }

  ProcessTable.Identity process(long offset) {
    return new ProcessTable.Identity(get(offset), get(offset + Long.BYTES));
  }

  void process(long offset, ProcessTable.Identity process) {
    set(offset + Long.BYTES, process.started());
    set(offset, process.pid());
  }

  /** Why the owner ends the ring, if it does. */
  Optional<RingException> ownerGone(BooleanSupplier lives) {
    if (word(RingLayout.OF_CLOSED) != 0) {
      return Optional.of(new RingException(Reason.OWNER_GONE, "the owner closed the ring"));
    }
    return lives.getAsBoolean()
        ? Optional.empty()
        : Optional.of(
            new RingException(
                Reason.OWNER_GONE,
                "the owner of the ring, process %d, has died: start the sink again"
                    .formatted(get(RingLayout.OF_OWNER))));
  }

  /** Adds one to a word and wakes who sleeps on it. */
  void signal(long offset, WordWait waits) {
    word(offset, word(offset) + 1);
    waits.wake(at(offset));
  }

  @Override
  public void close() {
    arena.close();
  }
}
