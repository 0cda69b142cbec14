package io.penstock.gateway.route;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** Digests of small bodies held whole. */
final class Digests {
  static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private Digests() {}

  /** Lower-case hex. */
  static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(digest("SHA-256", bytes));
  }

  /** Base64, as {@code Content-MD5} has it. */
  static String md5(byte[] bytes) {
    return Base64.getEncoder().encodeToString(digest("MD5", bytes));
  }

  private static byte[] digest(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
