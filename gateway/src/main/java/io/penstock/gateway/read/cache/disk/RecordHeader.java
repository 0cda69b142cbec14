package io.penstock.gateway.read.cache.disk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What stands before the bytes of a block in its file, big-endian:
 *
 * <pre>
 *    0  8 bytes  "PSTKBLK" and the version of the format, 1
 *    8  4        length of the header
 *   12  4        CRC32C of the data
 *   16  8        length of the object
 *   24  4        block size
 *   28  4        index of the block
 *   32  4        length of the data
 *   36  5 times  length (4 bytes) and UTF-8 of bucket, key, version, ETag, Last-Modified
 *   ..  4        CRC32C of everything above
 * </pre>
 *
 * A header is never parsed: the one that must be there is made, and compared.
 */
final class RecordHeader {
  private static final long MAGIC = 0x5053544B424C4B01L;
  private static final int CHECKSUM_AT = 12;
  private static final int FIXED = 36;
  private static final int INT = 4;

  private RecordHeader() {}

  /** Bytes of the header of any block of this version. */
  static int length(DiskVersion version) {
    int bytes = FIXED + INT;
    for (byte[] name : names(version)) {
      bytes += INT + name.length;
    }
    return bytes;
  }

  /**
   * @param bytes length of the data
   * @param checksum CRC32C of the data
   */
  static byte[] of(DiskVersion version, int block, int bytes, int checksum) {
    ByteBuffer header = ByteBuffer.allocate(length(version));
    header.putLong(MAGIC).putInt(header.capacity()).putInt(checksum);
    header.putLong(version.length()).putInt(version.blockSize()).putInt(block).putInt(bytes);
    for (byte[] name : names(version)) {
      header.putInt(name.length).put(name);
    }
    CRC32C sum = new CRC32C();
    sum.update(header.array(), 0, header.position());
    header.putInt((int) sum.getValue());
    return header.array();
  }

  /** Whether {@code found} is exactly the header of this block, whatever its data is. */
  static boolean matches(byte[] found, DiskVersion version, int block, int bytes) {
    return found.length == length(version)
        && Arrays.equals(found, of(version, block, bytes, checksum(found)));
  }

  /** What a header says of the data. */
  static int checksum(byte[] header) {
    return ByteBuffer.wrap(header).getInt(CHECKSUM_AT);
  }

  private static List<byte[]> names(DiskVersion version) {
    DiskName name = version.name();
    return List.of(
        name.bucket().getBytes(StandardCharsets.UTF_8),
        name.key().getBytes(StandardCharsets.UTF_8),
        name.version().getBytes(StandardCharsets.UTF_8),
        version.etag().getBytes(StandardCharsets.UTF_8),
        version.modified().getBytes(StandardCharsets.UTF_8));
  }
}
