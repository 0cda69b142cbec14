package io.penstock.dpu.transform.model;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where model files come from: a folder, or a bucket behind the gateway's own reader.
 *
 * <p>Threading: any thread; both methods may block.
 */
public interface ModelSource {
  /**
   * Bytes of the file called {@code file}.
   *
   * @throws IOException if there is none, or it cannot be read
   */
  long size(String file) throws IOException;

  /**
   * Reads the whole file into memory of {@code arena}.
   *
   * @param bytes what {@link #size} said
   * @throws IOException if it cannot be read, or has become longer or shorter
   */
  MemorySegment read(String file, long bytes, Arena arena) throws IOException;
}
