package io.penstock.config;

/** A value that never appears in a log, a report or an error: {@link #toString} is {@code ***}. */
public record Secret(String reveal) {
  @Override
  public String toString() {
    return "***";
  }
}
