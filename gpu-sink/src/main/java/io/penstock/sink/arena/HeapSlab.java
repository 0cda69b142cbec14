package io.penstock.sink.arena;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** Memory of this process outside the Java heap. */
record HeapSlab(java.lang.foreign.Arena scope, MemorySegment memory, AtomicBoolean closed)
    implements Slab {
  private static final long PAGE = 4096;

  static HeapSlab of(long bytes) {
    java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofShared();
    try {
      return new HeapSlab(scope, scope.allocate(bytes, PAGE), new AtomicBoolean());
    } catch (OutOfMemoryError e) {
      scope.close();
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "the system has no %d bytes for a heap arena: ask for fewer".formatted(bytes),
          e);
    }
  }

  @Override
  public ArenaKind kind() {
    return ArenaKind.HEAP;
  }

  @Override
  public Place place() {
    return Place.CPU;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      scope.close();
    }
  }
}
