package io.penstock.arrow.wire;

/** What an item is an example of, as the request or the manifest says it. */
public sealed interface Label {
  /** Nothing is said. */
  record None() implements Label {}

  record Whole(long value) implements Label {}

  record Real(double value) implements Label {}

  record Text(String value) implements Label {}

  /** The one value of {@link None}. */
  None NONE = new None();
}
