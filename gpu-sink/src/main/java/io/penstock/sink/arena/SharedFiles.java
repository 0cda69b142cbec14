package io.penstock.sink.arena;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of shared arenas in one folder. A file's name says who owns it, so that one whose owner
 * died before it wrote a header is found too.
 *
 * <p>Threading: thread-safe.
 *
 * @param folder normally {@code /dev/shm}
 * @param proc normally {@code /proc}
 */
record SharedFiles(Path folder, Path proc) {
  private static final String PREFIX = "penstock-arena.";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern FILE =
      Pattern.compile("penstock-arena\\.[A-Za-z0-9_-]+\\.(\\d{1,18})\\.(\\d{1,18})\\.(\\d{1,18})");

  /**
   * Where an arena of that name and owner lies.
   *
   * @throws IllegalArgumentException if the name is more than letters, digits, - and _
   */
  Path path(String name, Owner owner) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot name a shared arena: use up to 64 letters, digits, - and _".formatted(name));
    }
    return folder.resolve(
        PREFIX + name + "." + owner.pid() + "." + owner.started() + "." + owner.namespace());
  }

  /**
   * Removes the files whose owners run no more. Whoever maps one keeps what is mapped until it lets
   * go.
   *
   * @return what was removed
   * @throws IOException if the folder cannot be read, or a file not removed
   */
  List<Path> sweep() throws IOException {
    List<Path> removed = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path file : files) {
        if (owner(file).filter(owner -> owner.isDead(proc)).isPresent()
            && Files.deleteIfExists(file)) {
          removed.add(file);
        }
      }
    }
    return removed;
  }

  private static Optional<Owner> owner(Path file) {
    Matcher matcher = FILE.matcher(String.valueOf(file.getFileName()));
    return matcher.matches()
        ? Optional.of(
            new Owner(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }
}
