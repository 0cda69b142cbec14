package io.penstock.sink.arena.cuda;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What has to be given back, the last first. Every step is taken even if one fails, because a
 * broken device fails them all.
 *
 * <p>Threading: one thread at a time.
 */
final class Undo {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  void add(Runnable step) {
    steps.push(step);
  }

  /**
   * Takes every step.
   *
   * @throws RuntimeException what the first that failed threw
   */
  void run() {
    RuntimeException first = null;
    while (!steps.isEmpty()) {
      first = failure(first, steps.pop());
    }
    if (first != null) {
      throw first;
    }
  }

  /** Takes every step because of {@code cause}, which keeps what they threw. */
  void runAfter(RuntimeException cause) {
    try {
      run();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private static @Nullable RuntimeException failure(
      @Nullable RuntimeException first, Runnable step) {
    try {
      step.run();
      return first;
    } catch (RuntimeException e) {
      if (first == null) {
        return e;
      }
      first.addSuppressed(e);
      return first;
    }
  }
}
