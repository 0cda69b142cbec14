package io.penstock.gateway.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One real photograph to send around. */
record Photograph(String name, byte[] bytes) {

  /**
   * The JPEGs of a directory by name.
   *
   * @throws CommandFailure if there is none
   */
  static List<Photograph> in(Path directory) {
    var photographs = new ArrayList<Photograph>();
    try (var files = Files.list(directory)) {
      for (Path file : files.filter(Photograph::isJpeg).sorted().toList()) {
        photographs.add(new Photograph(file.getFileName().toString(), Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      throw CommandFailure.failed("cannot read the photographs in " + directory, e);
    }
    if (photographs.isEmpty()) {
      throw CommandFailure.failed(
          "no .jpg file in " + directory + "; name another directory with --pictures");
    }
    return photographs;
  }

  private static boolean isJpeg(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".jpg") || name.endsWith(".jpeg");
  }
}
