package io.penstock.config;

/** What became of one key. */
sealed interface Bound {
  /** It has this value. */
  record Value(Object value) implements Bound {}

  /** It was left out, or its placeholders came to nothing. */
  record Unset() implements Bound {}

  /** It is wrong, and that has been reported. */
  record Failed() implements Bound {}

  Bound UNSET = new Unset();
  Bound FAILED = new Failed();
}
