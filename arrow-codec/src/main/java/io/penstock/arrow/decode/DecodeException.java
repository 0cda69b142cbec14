package io.penstock.arrow.decode;

import org.jspecify.annotations.Nullable;

/**
 * One item cannot be decoded. The fault lies with the object or with the request, never with the
 * gateway, and trying again gives the same answer. The message says what was found and what to do;
 * it quotes names from the object only through {@link #quoted}.
 *
 * <p>Threading: immutable. It has no stack trace: it is an answer, and a shard of bad pictures
 * makes many of them.
 */
public final class DecodeException extends Exception {

  private static final int QUOTED_CHARS = 80;

  private final DecodeFault fault;

  public DecodeException(DecodeFault fault, String message) {
    this(fault, message, null);
  }

  public DecodeException(DecodeFault fault, String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
    this.fault = fault;
  }

  static DecodeException corrupt(String message) {
    return new DecodeException(DecodeFault.CORRUPT, message);
  }

  static DecodeException truncated(String message) {
    return new DecodeException(DecodeFault.TRUNCATED, message);
  }

  static DecodeException tooLarge(String message) {
    return new DecodeException(DecodeFault.TOO_LARGE, message);
  }

  static DecodeException unsupported(String message) {
    return new DecodeException(DecodeFault.UNSUPPORTED, message);
  }

  static DecodeException mismatch(String message) {
    return new DecodeException(DecodeFault.MISMATCH, message);
  }

  static DecodeException missing(String message) {
    return new DecodeException(DecodeFault.MISSING, message);
  }

  /** Text from the object, made safe for a message: short, and without control characters. */
  static String quoted(String text) {
    String shown = text.length() > QUOTED_CHARS ? text.substring(0, QUOTED_CHARS) + "..." : text;
    return '\'' + shown.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?") + '\'';
  }

  public DecodeFault fault() {
    return fault;
  }
}
