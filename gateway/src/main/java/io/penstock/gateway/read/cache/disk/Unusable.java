package io.penstock.gateway.read.cache.disk;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The folder of {@code cache.disk.path} cannot be used; the message says what to do. */
final class Unusable extends IOException {
  private static final long serialVersionUID = 1;

  Unusable(Path path, String why, @Nullable Throwable cause) {
    super("cache.disk.path: " + path + " " + why, cause);
  }
}
