package io.penstock.sink.cli;

/** The arguments do not make sense; the message says what may be written. */
final class WrongUse extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongUse(String message) {
    super(message);
  }
}
