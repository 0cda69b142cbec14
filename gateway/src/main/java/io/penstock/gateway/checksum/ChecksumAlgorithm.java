package io.penstock.gateway.checksum;

import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * The algorithms of {@code x-amz-checksum-*} (S3 user guide, "Checking object integrity").
 *
 * <p>Threading: immutable.
 */
public enum ChecksumAlgorithm {
  CRC32(4),
  CRC32C(4),
  CRC64NVME(8),
  SHA1(20),
  SHA256(32),
  SHA512(64),
  MD5(16),
  XXHASH64(8),
  XXHASH3(8),
  XXHASH128(16);

  private static final String PREFIX = "x-amz-checksum-";

  private final int length;
  private final String field = PREFIX + name().toLowerCase(Locale.ROOT);

  ChecksumAlgorithm(int length) {
    this.length = length;
  }

  /** Number of bytes of a value. */
  public int length() {
    return length;
  }

  /** The field, header or trailer, that carries a value in base64. */
  public String field() {
    return field;
  }

  public Checksum start() {
    return switch (this) {
      case CRC32 -> new ZipChecksum(new CRC32());
      case CRC32C -> new ZipChecksum(new CRC32C());
      case CRC64NVME -> new Crc64Nvme();
      case SHA1 -> new DigestChecksum("SHA-1");
      case SHA256 -> new DigestChecksum("SHA-256");
      case SHA512 -> new DigestChecksum("SHA-512");
      case MD5 -> new DigestChecksum("MD5");
      case XXHASH64 -> XxHash.xxh64();
      case XXHASH3 -> XxHash.xxh3();
      case XXHASH128 -> XxHash.xxh128();
    };
  }

  /** The algorithm whose value {@code fieldName} carries; case does not matter. */
  public static Optional<ChecksumAlgorithm> ofField(String fieldName) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.field.equalsIgnoreCase(fieldName)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }
}
