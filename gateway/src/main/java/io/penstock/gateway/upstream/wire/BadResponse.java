package io.penstock.gateway.upstream.wire;

/** Bytes of the store that are no HTTP/1.1 response; the message says what is wrong with them. */
final class BadResponse extends Exception {
  private static final long serialVersionUID = 1L;

  BadResponse(String message) {
    super(message, null, false, false);
  }
}
