package io.penstock.config;

import io.penstock.config.yaml.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The mistakes found so far in one file. */
final class Problems {
  private static final int MAX = 1_000;

  private final List<Problem> found = new ArrayList<>();

  void add(String path, Position at, String message) {
    if (found.size() < MAX) {
      found.add(new Problem(path, at.line(), at.column(), message));
    } else if (found.size() == MAX) {
      found.add(
          new Problem(
              "",
              at.line(),
              at.column(),
              "more than " + MAX + " problems; the rest is not listed"));
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** All of them in the order of the file. */
  List<Problem> sorted() {
    return found.stream()
        .distinct()
        .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
        .toList();
  }
}
