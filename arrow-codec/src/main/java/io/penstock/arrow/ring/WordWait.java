package io.penstock.arrow.ring;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Sleeps until a 32-bit word of shared memory changes, or thinks better of it: a waiter looks again
 * whenever it wakes, so waking too early costs a look and nothing else.
 *
 * <p>Threading: any number of threads of any number of processes.
 */
public interface WordWait {
  /** Sleeps while the word is {@code seen}, at most so long. */
  void await(MemorySegment word, int seen, Duration most);

  /** Wakes everybody who sleeps on the word. */
  void wake(MemorySegment word);

  /** The kernel's futex, or looking every now and then where it cannot be called. */
  static WordWait best() {
    return Futex.probe().<WordWait>map(futex -> futex).orElseGet(WordWait::polling);
  }

  /** Looks again after a fifth of a millisecond; for machines that forbid the system call. */
  static WordWait polling() {
    return new WordWait() {
      private static final long PAUSE = 200_000;

      @Override
      public void await(MemorySegment word, int seen, Duration most) {
        LockSupport.parkNanos(Math.min(PAUSE, most.toNanos()));
      }

      @Override
      public void wake(MemorySegment word) {}
    };
  }
}
