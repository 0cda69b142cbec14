package io.penstock.arrow.memory;

/** There is no room for a block now; a later try with fewer bytes in use may succeed. */
public final class BlockExhaustedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What was asked of whom, and what to do about it. */
  public BlockExhaustedException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What was asked of whom, and what to do about it. */
  public BlockExhaustedException(String message) {
    super(message);
  }
}
