package io.penstock.dpu.transport;

import io.penstock.config.RuntimeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A process like one in a hardened container: the kernel refuses it one system call (first
 * argument) with EPERM. Prints which transport the wish (second argument) led to, and why.
 */
final class SeccompedProcess {
  static final int NO_SECCOMP = 77;

  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int SECCOMP_SET_MODE_FILTER = 1;
  private static final int SECCOMP_FILTER_FLAG_TSYNC = 1;

  private SeccompedProcess() {}

  public static void main(String[] args) throws Throwable {
    if (!forbid(Integer.parseInt(args[0]))) {
      System.exit(NO_SECCOMP);
    }
    try {
      TransportChoice choice =
          new TransportSelector(new LoopbackProof(2, 5_000))
              .select(RuntimeConfig.Transport.valueOf(args[1]));
      System.out.println("chosen " + choice.kind() + " refused " + choice.refused());
    } catch (TransportUnavailableException e) {
      System.out.println("stopped " + e.getMessage());
    }
  }

  /** Installs the filter for all threads of the process (seccomp(2)). */
  private static boolean forbid(int call) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MemorySegment address = linker.defaultLookup().find("syscall").orElseThrow();
    ValueLayout.OfLong number = ValueLayout.JAVA_LONG;
    MethodHandle syscall =
        linker.downcallHandle(
            address,
            FunctionDescriptor.of(number, number, number, number, number, number, number),
            Linker.Option.firstVariadicArg(1));
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    long prctl = arm ? 167 : 157;
    long seccomp = arm ? 277 : 317;
    try (Arena arena = Arena.ofConfined()) {
      long program = program(arena, call).address();
      long privileges =
          (long) syscall.invokeExact(prctl, (long) PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
      long mode = SECCOMP_SET_MODE_FILTER;
      long filter =
          (long)
              syscall.invokeExact(seccomp, mode, (long) SECCOMP_FILTER_FLAG_TSYNC, program, 0L, 0L);
      return privileges == 0 && filter == 0;
    }
  }

  /** Four instructions: load the call's number; if it is the one, EPERM; else allow. */
  private static MemorySegment program(Arena arena, int call) {
    MemorySegment code = arena.allocate(4 * 8, 8);
    instruction(code, 0, 0x20, 0, 0, 0);
    instruction(code, 1, 0x15, 0, 1, call);
    instruction(code, 2, 0x06, 0, 0, 0x00050000 | 1);
    instruction(code, 3, 0x06, 0, 0, 0x7fff0000);
    MemorySegment program = arena.allocate(16, 8);
    program.set(ValueLayout.JAVA_SHORT, 0, (short) 4);
    program.set(ValueLayout.ADDRESS, 8, code);
    return program;
  }

  private static void instruction(
      MemorySegment code, int index, int operation, int ifTrue, int ifFalse, int operand) {
    code.set(ValueLayout.JAVA_SHORT, index * 8L, (short) operation);
    code.set(ValueLayout.JAVA_BYTE, index * 8L + 2, (byte) ifTrue);
    code.set(ValueLayout.JAVA_BYTE, index * 8L + 3, (byte) ifFalse);
    code.set(ValueLayout.JAVA_INT, index * 8L + 4, operand);
  }
}
