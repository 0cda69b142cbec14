package io.penstock.sink.export;

import io.penstock.sink.GccLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** {@code src/test/c/consumer.c}: what a library that takes our structures sees of them. */
final class CConsumer {
  static final int DATA = 0;
  static final int DEVICE_TYPE = 1;
  static final int DEVICE_ID = 2;
  static final int NDIM = 3;
  static final int CODE = 4;
  static final int BITS = 5;
  static final int LANES = 6;
  static final int SHAPE = 7;
  static final int STRIDES = 11;
  static final int FLAGS = 15;
  static final int MAJOR = 16;
  static final int SUM = 17;
  static final int EVENT = 18;
  static final int LENGTH = 19;
  static final int ELEMENTS = 20;
  static final int SIZE = 21;
  private static final int WORDS = 22;

  private static final SymbolLookup SYMBOLS =
      SymbolLookup.libraryLookup(GccLibrary.build("consumer.c", "libconsumer.so"), Arena.global());
  private static final FunctionDescriptor READS =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);

  private CConsumer() {}

  /** Calls {@code function} with a structure; the words it has seen. */
  static long[] call(String function, long structure) {
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment seen = scope.allocate(ValueLayout.JAVA_LONG, WORDS);
      FunctionDescriptor descriptor = function.endsWith("array") ? READS : READS.dropReturnLayout();
      MethodHandle handle = handle(function, descriptor);
      Object wrong = handle.invokeWithArguments(structure, seen);
      if (wrong instanceof Integer number && number != 0) {
        throw new AssertionError(function + " does not like the structure: rule " + number);
      }
      return seen.toArray(ValueLayout.JAVA_LONG);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static void moveChild(long array, long child) {
    try {
      FunctionDescriptor descriptor =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
      Object wrong = handle("move_child", descriptor).invokeWithArguments(array, child);
      if (!wrong.equals(0)) {
        throw new AssertionError("the list was not marked as released");
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static long consumeChild(long child) {
    try {
      return (long)
          handle(
                  "consume_child",
                  FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG))
              .invokeWithArguments(child);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle handle(String function, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(SYMBOLS.find(function).orElseThrow(), descriptor);
  }
}
