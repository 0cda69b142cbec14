package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Files of random bytes to upload, each made once; the same name always has the same bytes. */
final class Bodies {
  private Bodies() {}

  /** A few kilobytes of their own for every name. */
  static Path small(String name) {
    return of(name, 1_000 + Math.floorMod(name.hashCode(), 5_000));
  }

  static synchronized Path of(String name, int size) {
    Path file = Tools.workFolder("bodies").resolve(name);
    if (!Files.exists(file)) {
      byte[] bytes = new byte[size];
      new Random(name.hashCode()).nextBytes(bytes);
      try {
        Files.write(file, bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return file;
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
