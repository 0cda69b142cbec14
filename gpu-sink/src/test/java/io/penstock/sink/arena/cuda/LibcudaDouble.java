package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.sink.GccLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Puts the test double of {@code libcuda.so.1} (src/test/c) in the driver's place, and fails each
 * test that breaks one of its rules. It is built by gcc and loaded under the driver's name before
 * JCuda is, which then finds it in the process. With {@code -Dpenstock.cuda=real} the tests meet
 * the machine's own driver instead.
 */
public final class LibcudaDouble implements BeforeAllCallback, AfterEachCallback {
  private static final boolean REAL = "real".equals(System.getProperty("penstock.cuda"));

  @Override
  public void beforeAll(ExtensionContext context) {
    if (!REAL) {
      GccLibrary.needed();
      Library.load();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!REAL) {
      assertThat(faults()).as("rules of the driver that were broken").isEmpty();
    }
  }

  /** Goes on only if the double is there: for what no real driver does on demand. */
  static void needed() {
    assumeTrue(!REAL, "only the test double can do this");
  }

  /** What was done wrong since the last question, leaks included; then the double starts afresh. */
  static String faults() {
    try {
      MemorySegment text = (MemorySegment) Library.FAULTS.invokeExact();
      return text.reinterpret(1 << 16).getString(0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Lets a function answer an error.
   *
   * @param name with its version: {@code cuMemAlloc_v2}
   * @param after calls that still succeed
   */
  static void fail(String name, int result, int after) {
    try (Arena scope = Arena.ofConfined()) {
      Library.FAIL.invokeExact(scope.allocateFrom(name), result, after);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static final class Library {
    private static final Path FILE = GccLibrary.build("libcuda.c", "libcuda.so.1");
    private static final SymbolLookup SYMBOLS;
    static final MethodHandle FAULTS;
    static final MethodHandle FAIL;

    static {
      System.load(FILE.toString());
      SYMBOLS = SymbolLookup.libraryLookup(FILE, Arena.global());
      FAULTS = handle("double_faults", FunctionDescriptor.of(ValueLayout.ADDRESS));
      FAIL =
          handle(
              "double_fail",
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    /** Makes sure that the class is initialised. */
    static void load() {
      assertThat(FILE).exists();
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
      return Linker.nativeLinker().downcallHandle(SYMBOLS.find(name).orElseThrow(), descriptor);
    }
  }
}
