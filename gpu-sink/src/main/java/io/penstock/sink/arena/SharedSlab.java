package io.penstock.sink.arena;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A file in memory, mapped here to be written and elsewhere to be read. The file goes when the slab
 * is closed; if the process dies before, the next slab in that folder removes it.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Ownership: owns the file.
 */
public final class SharedSlab implements Slab {
  /** Pages are taken from the system in steps of this size, so that a full one is seen at once. */
  private static final int STEP = 1 << 20;

  private static final Path PROC = Path.of("/proc");

  private final Path path;
  private final java.lang.foreign.Arena scope;
  private final MemorySegment memory;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SharedSlab(Path path, java.lang.foreign.Arena scope, MemorySegment memory) {
    this.path = path;
    this.scope = scope;
    this.memory = memory;
  }

  /**
   * A new file of {@code capacity} bytes and a header, after removing what the dead have left.
   *
   * @throws ArenaException {@code UNAVAILABLE} if the folder is none, or has no such room
   * @throws IllegalArgumentException if the name is more than letters, digits, - and _
   */
  public static SharedSlab create(Path folder, String name, long capacity) {
    Owner owner = Owner.self(PROC);
    SharedFiles files = new SharedFiles(folder, PROC);
    Path path = files.path(name, owner);
    try {
      files.sweep();
      return create(path, new SharedHeader(capacity, owner));
    } catch (IOException e) {
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "no shared arena of %d bytes at %s (%s): ask for fewer bytes, or name another folder in memory"
              .formatted(capacity, path, e),
          e);
    }
  }

  private static SharedSlab create(Path path, SharedHeader header) throws IOException {
    boolean whole = false;
    try (FileChannel file =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      try {
        long bytes = SharedHeader.BYTES + header.capacity();
        reserve(file, bytes);
        java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofShared();
        MemorySegment all = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, scope);
        header.write(all);
        SharedSlab slab = new SharedSlab(path, scope, all.asSlice(SharedHeader.BYTES));
        whole = true;
        return slab;
      } finally {
        if (!whole) {
          Files.deleteIfExists(path);
        }
      }
    }
  }

  /**
   * Writes zeros: a file that merely has the length kills its writer with SIGBUS when memory runs
   * out.
   */
  private static void reserve(FileChannel file, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(STEP, bytes));
    for (long at = 0; at < bytes; ) {
      zeros.position(0).limit((int) Math.min(zeros.capacity(), bytes - at));
      at += file.write(zeros, at);
    }
  }

  /** The file that others map. */
  public Path path() {
    return path;
  }

  @Override
  public ArenaKind kind() {
    return ArenaKind.SHARED;
  }

  @Override
  public Place place() {
    return Place.CPU;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "cannot remove %s: remove it yourself".formatted(path),
          e);
    } finally {
      scope.close();
    }
  }
}
