package io.penstock.dpu.cpu;

import io.penstock.dpu.platform.CpuSet;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The C library's {@code int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)}: pid
 * 0 is the calling thread, the mask has one bit per processor in 64-bit words
 * (sched_setaffinity(2)).
 *
 * <p>Threading: affects the calling thread only.
 */
final class SchedAffinity {
  private static final int EPERM = 1;
  private static final int EINVAL = 22;
  private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERRNO_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  // null where there is no such function (not Linux) or native access is denied
  private static final @Nullable MethodHandle SET = find();

  private SchedAffinity() {}

  private static @Nullable MethodHandle find() {
    try {
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find("sched_setaffinity")
          .map(
              address ->
                  linker.downcallHandle(
                      address,
                      FunctionDescriptor.of(
                          ValueLayout.JAVA_INT,
                          ValueLayout.JAVA_INT,
                          ValueLayout.JAVA_LONG,
                          ValueLayout.ADDRESS),
                      Linker.Option.captureCallState("errno")))
          .orElse(null);
    } catch (IllegalCallerException | UnsupportedOperationException _) {
      return null;
    }
  }

  static Pinning set(CpuSet cpus) {
    MethodHandle handle = SET;
    if (handle == null) {
      return new Pinning.Refused(
          "no access to sched_setaffinity: needs Linux and --enable-native-access=ALL-UNNAMED");
    }
    try (Arena arena = Arena.ofConfined()) {
      int words = cpus.cpus().getLast() / Long.SIZE + 1;
      MemorySegment mask = arena.allocate(ValueLayout.JAVA_LONG, words);
      for (int cpu : cpus.cpus()) {
        long word = mask.getAtIndex(ValueLayout.JAVA_LONG, cpu / Long.SIZE);
        mask.setAtIndex(ValueLayout.JAVA_LONG, cpu / Long.SIZE, word | 1L << cpu % Long.SIZE);
      }
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      int result = (int) handle.invokeExact(state, 0, mask.byteSize(), mask);
      return result == 0
          ? new Pinning.Pinned(cpus)
          : new Pinning.Refused(explain(cpus, (int) ERRNO.get(state, 0L)));
    } catch (Throwable e) {
      return new Pinning.Refused("sched_setaffinity failed: " + e);
    }
  }

  private static String explain(CpuSet cpus, int errno) {
    String why =
        switch (errno) {
          case EINVAL -> "they do not exist or the container's cpuset excludes them";
          case EPERM -> "the container's seccomp profile forbids sched_setaffinity";
          default -> "errno " + errno;
        };
    return "processors " + cpus + " refused: " + why;
  }
}
