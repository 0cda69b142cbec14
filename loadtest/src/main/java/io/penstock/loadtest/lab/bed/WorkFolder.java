package io.penstock.loadtest.lab.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A folder for logs, configurations and mount points, gone afterwards.
 *
 * <p>Threading: any; {@link #close} once or more.
 */
public final class WorkFolder implements AutoCloseable {
  private final Path path;

  private WorkFolder(Path path) {
    this.path = path;
  }

  public static WorkFolder create() throws IOException {
    return new WorkFolder(Files.createTempDirectory("penstock-lab-"));
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    if (!Files.exists(path)) {
      return;
    }
    try (var files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("cannot remove " + path + ": " + e.getMessage());
    }
  }
}
