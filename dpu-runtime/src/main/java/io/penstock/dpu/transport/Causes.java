package io.penstock.dpu.transport;

import org.jspecify.annotations.Nullable;

/** Exceptions as one line: native loaders wrap the one sentence that matters several times. */
final class Causes {
  private Causes() {}

  static String innermost(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "no reason was given";
    }
    Throwable cause = thrown;
    for (int depth = 0; cause.getCause() != null && depth < 20; depth++) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    String text = message == null ? cause.getClass().getSimpleName() : message;
    return text.lines().findFirst().orElse(text).strip();
  }
}
