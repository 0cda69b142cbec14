package io.penstock.sink.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of one connection, plain or inside TLS.
 *
 * <p>Threading: one thread reads and writes, blocked until there is something or the time is up;
 * any thread may close, which ends a read.
 */
interface Wire extends Closeable {
  /**
   * Reads what there is, at least one byte, first into {@code first}, what then comes at once into
   * {@code second}.
   *
   * @return bytes read, -1 at the end
   */
  long read(ByteBuffer first, ByteBuffer second) throws IOException;

  /** Writes all of it. */
  void write(ByteBuffer bytes) throws IOException;
}
