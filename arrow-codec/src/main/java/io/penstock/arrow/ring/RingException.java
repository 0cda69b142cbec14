package io.penstock.arrow.ring;

import java.io.IOException;

/** A ring cannot be had, or not any longer. Records that were read before are good. */
public final class RingException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What happened, and so what to do. */
  public enum Reason {
    /** A name that is none, or numbers that cannot be. */
    INVALID,
    /** There is no ring of that name: start the sink that creates it first. */
    MISSING,
    /** A living process owns a ring of that name, or writes it already. */
    BUSY,
    /** A file that is no ring of this version, or one that was damaged. */
    MALFORMED,
    /** The file system has no room for the ring, or the ring no slot for one more consumer. */
    FULL,
    /** A record larger than half of the ring: take a larger ring or smaller batches. */
    TOO_LARGE,
    /** The process that wrote the stream died or left before its end: ask for the rest again. */
    PRODUCER_GONE,
    /** The process that owns the ring has died or closed it. */
    OWNER_GONE,
    /** Nobody reads: every consumer died, left or was too slow. */
    NO_CONSUMERS,
    /** This consumer released nothing for too long; what it holds may be overwritten. */
    CUT_OFF,
    /** Nothing came in the time that the caller allowed. */
    SILENT,
    /** This end of the ring was closed or cancelled by its own process. */
    CLOSED
  }

  private final Reason reason;

  RingException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  RingException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** Whether asking again for what is missing may help. */
  public boolean retryable() {
    return switch (reason) {
      case PRODUCER_GONE, OWNER_GONE, NO_CONSUMERS, CUT_OFF, SILENT, BUSY -> true;
      case INVALID, MISSING, MALFORMED, FULL, TOO_LARGE, CLOSED -> false;
    };
  }
}
