package io.penstock.arrow.ipc;

import java.util.Arrays;
import java.util.Optional;

/** How the buffers of a body are compressed, each for itself. */
public enum Compression {
  NONE("none"),
  /** Arrow's {@code LZ4_FRAME}. */
  LZ4("lz4"),
  ZSTD("zstd");

  private final String text;

  Compression(String text) {
    this.text = text;
  }

  /** The name in requests. */
  public String text() {
    return text;
  }

  public static Optional<Compression> named(String text) {
    return Arrays.stream(values()).filter(value -> value.text.equals(text)).findFirst();
  }
}
