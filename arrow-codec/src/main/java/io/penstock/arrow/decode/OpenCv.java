package io.penstock.arrow.decode;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.opencv_core.Mat;

/**
 * The door to OpenCV: loads it once and lends it memory that is not its own. One thread per call,
 * because batches already use every core they may; no log lines of its own, because anyone can
 * store a broken picture.
 */
final class OpenCv {

  private static final String CORE = System.mapLibraryName("opencv_core");

  /** {@code cv::utils::logging::setLogLevel} as C++ names it. */
  private static final String SET_LOG_LEVEL = "_ZN2cv5utils7logging11setLogLevelENS1_8LogLevelE";

  static {
    // javacpp else reads the process's memory use at every allocation, under one lock, and stops
    // the
    // thread for a collection when all off-heap memory together exceeds twice the heap
    System.getProperties().putIfAbsent("org.bytedeco.javacpp.maxBytes", "0");
    System.getProperties().putIfAbsent("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    opencv_core.setNumThreads(1);
    silence();
  }

  private OpenCv() {}

  /** Loads the native libraries now rather than with the first picture. */
  static void load() {}

  /**
   * Broken pictures are answers to clients, not lines on the error stream. javacpp has no call for
   * it.
   */
  private static void silence() {
    Path libraries = Path.of(Loader.load(opencv_core.class)).resolveSibling(CORE);
    SymbolLookup.libraryLookup(libraries, Arena.global())
        .find(SET_LOG_LEVEL)
        .ifPresent(
            symbol -> {
              try {
                FunctionDescriptor type =
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
                int _ = (int) Linker.nativeLinker().downcallHandle(symbol, type).invokeExact(0);
              } catch (Throwable e) {
                throw new IllegalStateException("OpenCV cannot be silenced", e);
              }
            });
  }

  /** A matrix over memory that stays the caller's; closing it frees nothing but the matrix. */
  static Mat lend(int rows, int columns, int type, MemorySegment memory) {
    try (Lent pointer = new Lent(memory)) {
      return new Mat(rows, columns, type, pointer);
    }
  }

  /** Whether OpenCV really wrote there, and not into a buffer of its own. */
  static void checkLent(Mat mat, MemorySegment memory) {
    try (BytePointer data = mat.data()) {
      if (data.address() != memory.address()) {
        throw new IllegalStateException("OpenCV took another buffer than the one it was lent");
      }
    }
  }

  /** An address and a length; javacpp has no public constructor for that. */
  private static final class Lent extends BytePointer {
    Lent(MemorySegment memory) {
      super((Pointer) null);
      address = memory.address();
      limit = memory.byteSize();
      capacity = memory.byteSize();
    }
  }
}
