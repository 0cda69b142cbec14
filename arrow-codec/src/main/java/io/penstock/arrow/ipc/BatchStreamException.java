package io.penstock.arrow.ipc;

import java.io.IOException;
import java.util.Optional;

/**
 * The stream is not, or not wholly, what it should be. After this the reader gives no more batches;
 * those that it gave before are good.
 */
public final class BatchStreamException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What went wrong, and so whose fault it is. */
  public enum Reason {
    /** The writer said so itself: {@link #error()}. */
    FAILED,
    /** The stream stops before its end: a broken connection, or a writer that died. */
    TRUNCATED,
    /** These bytes are no Arrow stream, or they were damaged. */
    MALFORMED,
    /** More than {@link ReadLimits} allows. */
    TOO_LARGE,
    /** Arrow, but nothing that this reader understands. */
    UNSUPPORTED
  }

  private final Reason reason;
  private final transient Optional<StreamError> error;

  private BatchStreamException(
      Reason reason, String message, Optional<StreamError> error, Optional<Throwable> cause) {
    super(message, cause.orElse(null));
    this.reason = reason;
    this.error = error;
  }

  static BatchStreamException of(Reason reason, String message) {
    return new BatchStreamException(reason, message, Optional.empty(), Optional.empty());
  }

  static BatchStreamException malformed(String message, Throwable cause) {
    return new BatchStreamException(
        Reason.MALFORMED, message, Optional.empty(), Optional.of(cause));
  }

  static BatchStreamException failed(StreamError error) {
    return new BatchStreamException(
        Reason.FAILED, error.code() + ": " + error.message(), Optional.of(error), Optional.empty());
  }

  public Reason reason() {
    return reason;
  }

  /** What the writer said, if it said anything. */
  public Optional<StreamError> error() {
    return error;
  }

  /** Whether asking again may help. */
  public boolean retryable() {
    return reason == Reason.TRUNCATED || error.map(StreamError::retryable).orElse(false);
  }
}
