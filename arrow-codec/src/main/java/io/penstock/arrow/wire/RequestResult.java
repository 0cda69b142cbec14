package io.penstock.arrow.wire;

import java.util.OptionalInt;

/** What became of the bytes of a request. */
public sealed interface RequestResult permits RequestResult.Accepted, RequestResult.Rejected {
  record Accepted(BatchRequest request) implements RequestResult {}

  record Rejected(RequestProblem problem) implements RequestResult {}

  /**
   * The first thing that is wrong.
   *
   * @param kind which S3 code fits
   * @param path the JSON pointer of the place, empty for the whole
   * @param line from 1, if it is known
   * @param message what is wrong there and what may be written
   */
  record RequestProblem(Kind kind, String path, OptionalInt line, String message) {
    /** Where the fault lies. */
    public enum Kind {
      /** No JSON, or not complete: {@code MalformedJSON}. */
      SYNTAX,
      /** JSON, but no request: {@code InvalidArgument}. */
      MEANING,
      /** More than is allowed: {@code EntityTooLarge}. */
      TOO_LARGE
    }

    /** All of it, in one line. */
    public String text() {
      StringBuilder text = new StringBuilder();
      if (!path.isEmpty()) {
        text.append(path);
      }
      line.ifPresent(
          number -> text.append(text.isEmpty() ? "" : ", ").append("line ").append(number));
      return text.append(text.isEmpty() ? "" : ": ").append(message).toString();
    }
  }
}
