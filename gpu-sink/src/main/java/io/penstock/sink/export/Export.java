package io.penstock.sink.export;

import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a consumer holds: the memory of the structures it reads, and what is to be done when it has
 * released the last of them. Structures refer to it by a number, because a pointer to an object
 * cannot be handed out.
 *
 * <p>Threading: thread-safe; a consumer may release from any thread.
 */
final class Export {
  private static final Map<Long, Export> HELD = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  private final Arena scope = Arena.ofShared();
  private final AtomicInteger parts;
  private final Runnable released;

  private Export(int parts, Runnable released) {
    this.parts = new AtomicInteger(parts);
    this.released = released;
  }

  /**
   * @param parts structures that are released one by one
   */
  static Export of(int parts, Runnable released) {
    Export export = new Export(parts, released);
    HELD.put(export.number, export);
    return export;
  }

  long number() {
    return number;
  }

  /** Memory that lives until the last part is released. */
  Arena scope() {
    return scope;
  }

  /** One part of that export is released; a number that is not held is ignored. */
  static void release(long number) {
    Export export = HELD.get(number);
    if (export != null && export.parts.decrementAndGet() == 0) {
      HELD.remove(number);
      export.scope.close();
      export.released.run();
    }
  }

  /** Exports that consumers hold now. */
  static int held() {
    return HELD.size();
  }
}
