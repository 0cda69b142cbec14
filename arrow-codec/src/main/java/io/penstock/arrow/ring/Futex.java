package io.penstock.arrow.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The system call futex(2) on words that processes share. Both operations are the shared ones: the
 * private ones find only waiters of the same process.
 *
 * <p>Threading: any. A waiting thread is inside a native call: not for virtual threads.
 */
final class Futex implements WordWait {
  private static final int WAIT = 0;
  private static final int WAKE = 1;
  private static final long TIMESPEC = 16;

  private final MethodHandle syscall;
  private final long number;

  private Futex(MethodHandle syscall, long number) {
    this.syscall = syscall;
    this.number = number;
  }

  /** The futex of this machine; none where the call is unknown or refused. */
  static Optional<Futex> probe() {
    long number =
        switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> 202;
          case "aarch64" -> 98;
          default -> -1;
        };
    Linker linker = Linker.nativeLinker();
    var symbol = linker.defaultLookup().find("syscall");
    if (number < 0 || symbol.isEmpty()) {
      return Optional.empty();
    }
    FunctionDescriptor call =
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS);
    Futex futex =
        new Futex(
            linker.downcallHandle(symbol.get(), call, Linker.Option.firstVariadicArg(1)), number);
    try (Arena arena = Arena.ofConfined()) {
      // a seccomp filter may refuse the call: waking nobody shows it
      boolean works = futex.call(arena.allocate(4, 4), WAKE, 1, MemorySegment.NULL) == 0;
      return works ? Optional.of(futex) : Optional.empty();
    }
  }

  @Override
  public void await(MemorySegment word, int seen, Duration most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment timeout = arena.allocate(TIMESPEC, 8);
      timeout.set(ValueLayout.JAVA_LONG, 0, most.toSeconds());
      timeout.set(ValueLayout.JAVA_LONG, 8, most.toNanosPart());
      call(word, WAIT, seen, timeout);
    }
  }

  @Override
  public void wake(MemorySegment word) {
    call(word, WAKE, Integer.MAX_VALUE, MemorySegment.NULL);
  }

  private long call(MemorySegment word, int operation, int value, MemorySegment timeout) {
    try {
      return (long) syscall.invokeExact(number, word, operation, value, timeout);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call threw", e);
    }
  }
}
