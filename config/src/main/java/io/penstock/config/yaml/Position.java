package io.penstock.config.yaml;

import java.util.Comparator;

/** Where something stands in the file; both numbers start at 1. */
public record Position(int line, int column) implements Comparable<Position> {
  public static final Position START = new Position(1, 1);

  @Override
  public int compareTo(Position other) {
    return Comparator.comparingInt(Position::line)
        .thenComparingInt(Position::column)
        .compare(this, other);
  }
}
