package io.penstock.gateway.upstream;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a call to the store has no response. Says whether any byte of the request may have reached
 * the store.
 */
public abstract sealed class UpstreamFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean sent;

  private UpstreamFailure(String message, boolean sent) {
    this(message, null, sent);
  }

  private UpstreamFailure(String message, @Nullable Throwable cause, boolean sent) {
    super(message, cause, false, false);
    this.sent = sent;
  }

  /** Whether the store may have seen the request. */
  public boolean sent() {
    return sent;
  }

  /** No connection could be made (refused, unreachable, TLS refused). */
  public static final class Unreachable extends UpstreamFailure {
    private static final long serialVersionUID = 1L;

    public Unreachable(String message) {
      super(message, false);
    }
  }

  /** The connection ended, or broke the protocol, before the response was complete. */
  public static final class Broken extends UpstreamFailure {
    private static final long serialVersionUID = 1L;

    public Broken(String message, boolean sent) {
      super(message, sent);
    }
  }

  /** Nothing came for longer than the response timeout. */
  public static final class TimedOut extends UpstreamFailure {
    private static final long serialVersionUID = 1L;

    public TimedOut(String message, boolean sent) {
      super(message, sent);
    }
  }

  /** The gateway's own limit on connections and waiting calls is reached. */
  public static final class Overloaded extends UpstreamFailure {
    private static final long serialVersionUID = 1L;
    private final transient Optional<Duration> retryAfter;

    public Overloaded(String message, Optional<Duration> retryAfter) {
      super(message, false);
      this.retryAfter = retryAfter;
    }

    public Optional<Duration> retryAfter() {
      return retryAfter;
    }
  }

  /** The request's cancellation fired. */
  public static final class Cancelled extends UpstreamFailure {
    private static final long serialVersionUID = 1L;

    public Cancelled(boolean sent) {
      super("cancelled", sent);
    }
  }

  /**
   * The request's own body stream failed, so the call was given up; {@link #getCause} is the body's
   * failure.
   */
  public static final class BodyFailed extends UpstreamFailure {
    private static final long serialVersionUID = 1L;

    public BodyFailed(Throwable cause) {
      super("the request body failed: " + cause.getMessage(), cause, true);
    }
  }
}
