package io.penstock.sink.arena;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Another process's shared arena, mapped to be read.
 *
 * <p>Threading: thread-safe; who tells a reader where a region lies also sees to the ordering.
 *
 * <p>Ownership: the mapping is this view's until it is closed, and stays readable though the owner
 * dies.
 */
public final class SharedView implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");

  private final java.lang.foreign.Arena scope;
  private final MemorySegment memory;
  private final Owner owner;

  private SharedView(java.lang.foreign.Arena scope, MemorySegment memory, Owner owner) {
    this.scope = scope;
    this.memory = memory;
    this.owner = owner;
  }

  /**
   * Maps the file of a {@link SharedSlab}.
   *
   * @throws ArenaException {@code UNAVAILABLE} if there is none, or it is not what it should be
   */
  public static SharedView open(Path path) {
    java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofShared();
    boolean open = false;
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment all = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), scope);
      SharedHeader header = SharedHeader.read(all, path.toString());
      open = true;
      return new SharedView(scope, all.asSlice(SharedHeader.BYTES), header.owner());
    } catch (IOException e) {
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "cannot map %s (%s): is its owner running?".formatted(path, e),
          e);
    } finally {
      if (!open) {
        scope.close();
      }
    }
  }

  /**
   * A region's memory.
   *
   * @param offset what {@link HostRegion#offset} says at the owner
   * @throws IndexOutOfBoundsException if the arena does not reach that far
   */
  public MemorySegment at(long offset, long bytes) {
    return memory.asSlice(offset, bytes);
  }

  /** Whether the owner certainly runs no more: then nothing new will come. */
  public boolean isOrphaned() {
    return owner.isDead(PROC);
  }

  @Override
  public void close() {
    scope.close();
  }
}
