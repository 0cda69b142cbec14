package io.penstock.sink.arena;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first page of a shared arena's file, little-endian: 0 magic (8 bytes), 8 version (4), 12
 * length of this header (4), 16 capacity (8), 24 process number of the owner (8), 32 when that
 * started (8), 40 its name space of process numbers (8). The magic is written last.
 */
record SharedHeader(long capacity, Owner owner) {
  /** Length of the header: the arena's memory begins at a page of its own. */
  static final int BYTES = 4096;

  /** {@code PENARENA}, as it reads in a dump. */
  private static final long MAGIC = 0x414e_4552_414e_4550L;

  private static final int VERSION = 1;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle MAGIC_WORD = LONG.varHandle();

  void write(MemorySegment file) {
    file.set(INT, 8, VERSION);
    file.set(INT, 12, BYTES);
    file.set(LONG, 16, capacity);
    file.set(LONG, 24, owner.pid());
    file.set(LONG, 32, owner.started());
    file.set(LONG, 40, owner.namespace());
    MAGIC_WORD.setRelease(file, 0L, MAGIC);
  }

  /**
   * Reads and judges the header.
   *
   * @throws ArenaException {@code UNAVAILABLE} if that is no arena, not a whole one, or one of
   *     another version
   */
  static SharedHeader read(MemorySegment file, String path) {
    if (file.byteSize() < BYTES || (long) MAGIC_WORD.getAcquire(file, 0L) != MAGIC) {
      throw refused(path, "it is no shared arena, or its owner has not finished it");
    }
    if (file.get(INT, 8) != VERSION || file.get(INT, 12) != BYTES) {
      throw refused(
          path,
          "it has version %d, this program reads version %d: run the same release on both sides"
              .formatted(file.get(INT, 8), VERSION));
    }
    long capacity = file.get(LONG, 16);
    if (capacity < 0 || capacity != file.byteSize() - BYTES) {
      throw refused(path, "its header promises %d bytes, which it has not".formatted(capacity));
    }
    return new SharedHeader(
        capacity, new Owner(file.get(LONG, 24), file.get(LONG, 32), file.get(LONG, 40)));
  }

  private static ArenaException refused(String path, String why) {
    return new ArenaException(
        ArenaException.Fault.UNAVAILABLE, "cannot map %s: %s".formatted(path, why));
  }
}
