package io.penstock.arrow.decode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One 512-byte header of a tar archive (POSIX.1-2001 ustar, and what GNU tar and the seventh
 * edition's tar write instead), its checksum verified.
 *
 * @param name prefix and name joined
 * @param size bytes of content that follow
 * @param type the type flag
 */
record TarHeader(String name, long size, char type) {

  static final int BYTES = 512;

  private static final int NAME = 100;
  private static final int SIZE_AT = 124;
  private static final int SIZE = 12;
  private static final int SUM_AT = 148;
  private static final int SUM = 8;
  private static final int TYPE_AT = 156;
  private static final int MAGIC_AT = 257;
  private static final int PREFIX_AT = 345;
  private static final int PREFIX = 155;
  private static final byte[] POSIX = "ustar\0".getBytes(StandardCharsets.US_ASCII);

  /** Whether the block is the archive's end. */
  static boolean isEnd(byte[] block) {
    for (byte value : block) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  static TarHeader parse(byte[] block) throws DecodeException {
    checkSum(block);
    String name = text(block, 0, NAME);
    // GNU tar puts other things where POSIX has the prefix
    boolean posix = Arrays.equals(block, MAGIC_AT, MAGIC_AT + POSIX.length, POSIX, 0, POSIX.length);
    String prefix = posix ? text(block, PREFIX_AT, PREFIX) : "";
    return new TarHeader(
        prefix.isEmpty() ? name : prefix + '/' + name,
        number(block, SIZE_AT, SIZE),
        (char) (block[TYPE_AT] & 0xff));
  }

  private static void checkSum(byte[] block) throws DecodeException {
    int unsigned = 0;
    int signed = 0;
    for (int i = 0; i < BYTES; i++) {
      byte value = i >= SUM_AT && i < SUM_AT + SUM ? (byte) ' ' : block[i];
      unsigned += value & 0xff;
      signed += value;
    }
    long stated = number(block, SUM_AT, SUM);
    // some old writers summed signed bytes
    if (stated != unsigned && stated != signed) {
      throw DecodeException.corrupt("no tar archive: the checksum of a header is wrong");
    }
  }

  private static String text(byte[] block, int from, int length) {
    int end = from;
    while (end < from + length && block[end] != 0) {
      end++;
    }
    return new String(block, from, end - from, StandardCharsets.UTF_8);
  }

  /** Octal digits, or GNU's big-endian binary where the first bit is set. */
  private static long number(byte[] block, int from, int length) throws DecodeException {
    if ((block[from] & 0x80) != 0) {
      return binary(block, from, length);
    }
    long value = 0;
    int at = from;
    while (at < from + length && block[at] == ' ') {
      at++;
    }
    for (; at < from + length && block[at] != 0 && block[at] != ' '; at++) {
      if (block[at] < '0' || block[at] > '7') {
        throw DecodeException.corrupt("no tar archive: a header's number is not octal");
      }
      value = (value << 3) | (block[at] - '0');
    }
    return value;
  }

  private static long binary(byte[] block, int from, int length) throws DecodeException {
    long value = block[from] & 0x7f;
    for (int at = from + 1; at < from + length; at++) {
      if (value >>> (Long.SIZE - 1 - Byte.SIZE) != 0) {
        throw DecodeException.corrupt("a tar header states a size beyond 2^63");
      }
      value = (value << Byte.SIZE) | (block[at] & 0xff);
    }
    return value;
  }
}
