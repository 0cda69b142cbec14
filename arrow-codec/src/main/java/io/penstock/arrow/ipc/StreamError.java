package io.penstock.arrow.ipc;

/**
 * Why a stream stopped before its end, as its writer says it and its reader raises it.
 *
 * @param code an S3 error code: {@code SlowDown}, {@code InternalError}, ...
 * @param message says what happened and what to do; at most {@link #LONGEST_MESSAGE} characters are
 *     kept
 * @param retryable whether the same request may succeed later
 */
public record StreamError(String code, String message, boolean retryable) {
  /** A message is for people: more than that is cut. */
  public static final int LONGEST_MESSAGE = 2000;

  public StreamError {
    if (message.length() > LONGEST_MESSAGE) {
      message = message.substring(0, LONGEST_MESSAGE);
    }
  }
}
