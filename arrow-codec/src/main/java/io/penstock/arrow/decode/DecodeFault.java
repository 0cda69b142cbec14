package io.penstock.arrow.decode;

/** Why an item could not be decoded; the codes are part of the batch protocol and do not change. */
public enum DecodeFault {
  /** The bytes break the rules of their format. */
  CORRUPT("CorruptObject"),
  /** The bytes end before their format says they should. */
  TRUNCATED("TruncatedObject"),
  /** A size in the bytes is above a limit; nothing was allocated for it. */
  TOO_LARGE("TooLarge"),
  /** The format, or a feature of it, is none that this gateway decodes. */
  UNSUPPORTED("UnsupportedFormat"),
  /** Sound bytes, but not of the shape or type that the request asked for. */
  MISMATCH("ShapeMismatch"),
  /** The archive or file has no member, tensor or column of that name. */
  MISSING("NoSuchMember");

  private final String code;

  DecodeFault(String code) {
    this.code = code;
  }

  /** The stable code as clients see it. */
  public String code() {
    return code;
  }
}
