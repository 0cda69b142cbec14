package io.penstock.gateway.sigv4;

/**
 * The derived SigV4 key of one secret, day, region and service, ready to sign.
 *
 * <p>Threading: safe.
 */
public final class SigningKey {
  private final Sha256.HmacKey hmac;

  SigningKey(byte[] bytes) {
    this.hmac = new Sha256.HmacKey(bytes);
  }

  /** The lower-case hex signature of a string to sign. */
  String sign(ByteArray text) {
    return Sha256.hex(hmac.of(text));
  }

  @Override
  public String toString() {
    return "***";
  }
}
