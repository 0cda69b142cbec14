package io.penstock.sink.arena;

import java.nio.file.Path;
import java.util.function.LongFunction;

/**
 * One way to get an arena.
 *
 * @param kind what it opens
 * @param open takes the capacity in bytes; throws {@link ArenaException} if this machine has no
 *     such memory
 */
public record ArenaSource(ArenaKind kind, LongFunction<Arena> open) {
  /** This process's own memory. */
  public static ArenaSource heap() {
    return new ArenaSource(ArenaKind.HEAP, HostArena::heap);
  }

  /** A file of that name in a folder in memory. */
  public static ArenaSource shared(Path folder, String name) {
    return new ArenaSource(ArenaKind.SHARED, capacity -> HostArena.shared(folder, name, capacity));
  }
}
