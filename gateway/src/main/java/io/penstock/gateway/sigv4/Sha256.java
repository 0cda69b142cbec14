package io.penstock.gateway.sigv4;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

  static byte[] hmac(byte[] key, ByteArray data) {
    return hmac(key, data.bytes(), data.length());
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
