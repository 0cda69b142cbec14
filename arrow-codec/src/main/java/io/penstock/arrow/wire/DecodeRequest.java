package io.penstock.arrow.wire;

/**
 * What is made of each object.
 *
 * @param as {@code raw} for the bytes as they are, or the name of a decoder
 * @param options the decoder's own, in the order of the request; unknown ones are the decoder's to
 *     refuse
 */
public record DecodeRequest(String as, OptionValue.Fields options) {
  /** The name that asks for no decoding. */
  public static final String RAW_NAME = "raw";

  /** Whether the bytes are wanted as they are. */
  public boolean isRaw() {
    return as.equals(RAW_NAME);
  }
}
