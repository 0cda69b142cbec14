package io.penstock.gateway.sigv4;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * SHA-256 and its HMAC, with one instance of each kept for every thread: creating them costs more
 * than most of the texts that are signed.
 *
 * <p>Threading: safe; state is per thread and never left half fed.
 */
final class Sha256 {
  /** The digest of nothing. */
  static final String EMPTY_HEX =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String HMAC = "HmacSHA256";
  private static final ThreadLocal<MessageDigest> DIGEST = ThreadLocal.withInitial(Sha256::digest);
  private static final ThreadLocal<Mac> MAC = ThreadLocal.withInitial(Sha256::mac);

  private Sha256() {}

  /** A fresh digest for a body that arrives in pieces. */
  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static byte[] of(ByteArray data) {
    MessageDigest digest = DIGEST.get();
    digest.update(data.bytes(), 0, data.length());
    return digest.digest();
  }

  static byte[] of(byte[] data) {
    return DIGEST.get().digest(data);
  }

  static byte[] hmac(byte[] key, byte[] data, int length) {
    try {
      Mac mac = MAC.get();
      mac.init(new SecretKeySpec(key, HMAC));
      mac.update(data, 0, length);
      return mac.doFinal();
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("an HMAC key must not be empty", e);
    }
  }

  /**
   * A key with its two padded blocks hashed already (RFC 2104), which halves the cost of signing a
   * short text.
   *
   * <p>Threading: safe; every call works on copies.
   */
  static final class HmacKey {
    private static final int BLOCK = 64;
    private final MessageDigest inner;
    private final MessageDigest outer;

    /**
     * A key of at most 64 bytes, as derived keys are.
     *
     * @throws IllegalArgumentException if it is longer
     */
    HmacKey(byte[] key) {
      if (key.length > BLOCK) {
        throw new IllegalArgumentException(
            "a key of " + key.length + " bytes must be hashed first");
      }
      inner = padded(key, 0x36);
      outer = padded(key, 0x5c);
    }

    byte[] of(ByteArray data) {
      MessageDigest first = copy(inner);
      first.update(data.bytes(), 0, data.length());
      MessageDigest second = copy(outer);
      return second.digest(first.digest());
    }

    private static MessageDigest padded(byte[] key, int pad) {
      byte[] block = Arrays.copyOf(key, BLOCK);
      for (int i = 0; i < BLOCK; i++) {
        block[i] ^= (byte) pad;
      }
      MessageDigest digest = digest();
      digest.update(block);
      return digest;
    }

    private static MessageDigest copy(MessageDigest digest) {
      try {
        return (MessageDigest) digest.clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("the SHA-256 of this Java platform cannot be copied", e);
      }
    }
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static Mac mac() {
    try {
      return Mac.getInstance(HMAC);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }
}
