package io.penstock.gateway.read.cache.disk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * An object, or one named version of it, with the hash that its files are found by.
 *
 * @param version the version asked for, empty for the current one
 */
public record DiskName(String bucket, String key, String version) {

  /** The least id that a file of this object can have. */
  FileId least() {
    ByteBuffer hash = ByteBuffer.wrap(hash(List.of(bucket, key, version)));
    return new FileId(hash.getLong(), hash.getLong(), Long.MIN_VALUE, Integer.MIN_VALUE);
  }

  static byte[] hash(List<String> parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
        digest.update(bytes);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
