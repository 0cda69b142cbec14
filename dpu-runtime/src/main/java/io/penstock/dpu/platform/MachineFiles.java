package io.penstock.dpu.platform;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The small text files of the kernel, below a root that is {@code /} on a real machine and a folder
 * in a test. What cannot be read is empty.
 *
 * <p>Threading: immutable.
 */
final class MachineFiles {
  private static final int LARGEST = 1 << 20;

  private final Path root;

  MachineFiles(Path root) {
    this.root = root;
  }

  /** The text of {@code path} without surrounding white space; empty if there is none. */
  Optional<String> text(String path) {
    // Files of /proc say they are empty, and may hold any bytes: read what comes, decode any byte.
    try (InputStream in = Files.newInputStream(resolve(path))) {
      String text = new String(in.readNBytes(LARGEST), StandardCharsets.ISO_8859_1);
      return Optional.of(text.replace('\0', ' ').strip()).filter(t -> !t.isEmpty());
    } catch (IOException | InvalidPathException _) {
      return Optional.empty();
    }
  }

  List<String> lines(String path) {
    return text(path).map(text -> text.lines().toList()).orElse(List.of());
  }

  /** The value of the first line {@code key : value}, as in {@code /proc/cpuinfo}. */
  Optional<String> field(String path, String key) {
    for (String line : lines(path)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
        return Optional.of(line.substring(colon + 1).strip());
      }
    }
    return Optional.empty();
  }

  OptionalLong number(String path) {
    return text(path).map(MachineFiles::parse).orElse(OptionalLong.empty());
  }

  /** The names in a directory, sorted; none if it cannot be listed. */
  List<String> names(String directory) {
    try (Stream<Path> entries = Files.list(resolve(directory))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException | InvalidPathException _) {
      return List.of();
    }
  }

  static OptionalLong parse(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  private Path resolve(String path) {
    return root.resolve(path.startsWith("/") ? path.substring(1) : path);
  }
}
