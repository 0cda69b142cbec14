package io.penstock.loadtest.plan;

/** One mistake in a file: where it is and what to write instead. */
public record Problem(String path, int line, String message) {
  @Override
  public String toString() {
    return "line " + line + ": " + path + ": " + message;
  }
}
