package io.penstock.gateway.read.cache.disk;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the file of one block. The name is made of hashes, so that a folder can be read without
 * opening its files; the file itself says whose block it is. Files of one object lie together in
 * the order of ids.
 *
 * @param high first half of the hash of the object's name
 * @param low second half
 * @param version hash of the version and of how it is cut into blocks
 */
record FileId(long high, long low, long version, int block) implements Comparable<FileId> {
  private static final Comparator<FileId> ORDER =
      Comparator.comparingLong(FileId::high)
          .thenComparingLong(FileId::low)
          .thenComparingLong(FileId::version)
          .thenComparingInt(FileId::block);

  private static final Pattern NAME =
      Pattern.compile("([0-9a-f]{16})([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{8})\\.blk");

  /** Empty if no block has a file of this name. */
  static Optional<FileId> of(String fileName) {
    Matcher parts = NAME.matcher(fileName);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new FileId(
            Long.parseUnsignedLong(parts.group(1), 16),
            Long.parseUnsignedLong(parts.group(2), 16),
            Long.parseUnsignedLong(parts.group(3), 16),
            Integer.parseUnsignedInt(parts.group(4), 16)));
  }

  /** One of 256 folders. */
  String folder() {
    return "%02x".formatted(high >>> 56);
  }

  String fileName() {
    return "%016x%016x-%016x-%08x.blk".formatted(high, low, version, block);
  }

  boolean isOfSameObject(FileId other) {
    return high == other.high && low == other.low;
  }

  FileId withBlock(int other) {
    return new FileId(high, low, version, other);
  }

  @Override
  public int compareTo(FileId other) {
    return ORDER.compare(this, other);
  }
}
