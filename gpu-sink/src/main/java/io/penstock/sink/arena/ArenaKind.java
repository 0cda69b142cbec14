package io.penstock.sink.arena;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where an arena's memory lies, the best for a trainer on a GPU first. */
public enum ArenaKind {
  /** Memory of a GPU. */
  CUDA,
  /** Page-locked memory of the host, which a GPU reads by itself. */
  PINNED,
  /** A file in memory that other processes map too. */
  SHARED,
  /** Memory of this process, outside the Java heap. */
  HEAP;

  /** The name in options and reports: {@code cuda}, {@code pinned}, ... */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that name, if there is one. Names are lower case. */
  public static Optional<ArenaKind> named(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }

  /** Every name, for messages that say what may be written. */
  public static String names() {
    return Arrays.stream(values()).map(ArenaKind::text).collect(Collectors.joining(", "));
  }
}
