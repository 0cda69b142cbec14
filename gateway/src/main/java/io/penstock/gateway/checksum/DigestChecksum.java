package io.penstock.gateway.checksum;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The message digests of the JDK; direct buffers pass through its small heap buffer. */
final class DigestChecksum extends Checksum {
  private final MessageDigest digest;

  DigestChecksum(String algorithm) {
    try {
      digest = MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime lacks " + algorithm, e);
    }
  }

  @Override
  public void update(ByteBuffer bytes) {
    digest.update(bytes);
  }

  @Override
  public byte[] value() {
    return digest.digest();
  }
}
