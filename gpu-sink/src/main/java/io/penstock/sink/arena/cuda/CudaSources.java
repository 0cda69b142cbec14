package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.ArenaKind;
import io.penstock.sink.arena.ArenaProvider;
import io.penstock.sink.arena.ArenaSource;
import io.penstock.sink.arena.HostArena;
import io.penstock.sink.arena.SharedSlab;
import java.nio.file.Path;
import java.util.List;

/** The arenas that need a GPU, as sources for an {@link ArenaProvider}. */
public final class CudaSources {
  private CudaSources() {}

  /** Memory of the device itself. */
  public static ArenaSource cuda(int device) {
    return new ArenaSource(ArenaKind.CUDA, capacity -> CudaArena.open(device, capacity));
  }

  /** Page-locked memory of the host. */
  public static ArenaSource pinned(int device) {
    return new ArenaSource(ArenaKind.PINNED, capacity -> PinnedSlab.arena(device, capacity));
  }

  /** A file in memory that other processes map, page-locked for the device. */
  public static ArenaSource pinnedShared(int device, Path folder, String name) {
    return new ArenaSource(
        ArenaKind.PINNED,
        capacity ->
            HostArena.over(PinnedSlab.register(device, SharedSlab.create(folder, name, capacity))));
  }

  /**
   * Everything there is, from the device's memory to this process's own.
   *
   * @param device which GPU, from 0
   * @param folder a file system in memory, normally {@code /dev/shm}
   * @param name of the shared arena, should it come to that
   */
  public static ArenaProvider provider(int device, Path folder, String name) {
    return new ArenaProvider(
        List.of(
            cuda(device), pinned(device), ArenaSource.shared(folder, name), ArenaSource.heap()));
  }
}
