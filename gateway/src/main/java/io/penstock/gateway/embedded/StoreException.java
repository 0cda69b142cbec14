package io.penstock.gateway.embedded;

/** The embedded store cannot start or stop; the message says what to do. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
