package io.penstock.sink.arena;

/** An arena could not do what was asked; {@link #fault()} says whose fault that is. */
public final class ArenaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Fault {
    /** This machine has no such memory, or not that much: choose another kind or fewer bytes. */
    UNAVAILABLE,
    /** The arena was closed, and takes no more orders: a fault of the caller. */
    CLOSED,
    /** The arena was closed while regions were held: a fault of their holders. */
    LEAKED,
    /** A region was closed a second time: a fault of the caller. */
    CLOSED_TWICE,
    /** The device has gone or its context is broken: open a new arena in a new process. */
    DEVICE_LOST,
    /** The device has no memory left: choose fewer bytes. */
    OUT_OF_MEMORY,
    /** The thread or the memory belongs to another context of the device. */
    WRONG_CONTEXT,
    /** The driver refused for another reason, which the message names. */
    DRIVER
  }

  private final Fault fault;

  /** What was asked of which arena, and what to do about it. */
  public ArenaException(Fault fault, String message) {
    super(message);
    this.fault = fault;
  }

  /** What was asked of which arena, and what to do about it. */
  public ArenaException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  /** What went wrong. */
  public Fault fault() {
    return fault;
  }
}
