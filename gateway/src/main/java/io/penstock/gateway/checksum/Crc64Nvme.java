package io.penstock.gateway.checksum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * CRC-64/NVME (NVM Express command set specification, "64b CRC"): polynomial {@code
 * AD93D23594C93659}, reflected, all ones in, inverted out. Sixteen bytes at a time from sixteen
 * tables, so that one step does not wait for sixteen others.
 */
final class Crc64Nvme extends Checksum {
  private static final long REFLECTED_POLYNOMIAL = 0x9A6C9329AC4BC9B5L;
  private static final int STRIDE = 16;

  /** {@code TABLES[256 * k + b]}: what byte {@code b} becomes after {@code k} more zero bytes. */
  private static final long[] TABLES = tables();

  private long crc = -1L;

  private static long[] tables() {
    long[] tables = new long[256 * STRIDE];
    for (int b = 0; b < 256; b++) {
      long crc = b;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ REFLECTED_POLYNOMIAL;
      }
      tables[b] = crc;
    }
    for (int i = 256; i < tables.length; i++) {
      long before = tables[i - 256];
      tables[i] = (before >>> 8) ^ tables[(int) before & 0xFF];
    }
    return tables;
  }

  @Override
  public void update(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    long c = crc;
    int at = in.position();
    int end = in.limit();
    for (; end - at >= STRIDE; at += STRIDE) {
      c = eight(c ^ in.getLong(at), 8 * 256) ^ eight(in.getLong(at + 8), 0);
    }
    for (; at < end; at++) {
      c = (c >>> 8) ^ TABLES[((int) c ^ in.get(at)) & 0xFF];
    }
    crc = c;
    bytes.position(end);
  }

  /** Eight bytes, the first of which is the lowest, followed by as many as {@code base} says. */
  private static long eight(long word, int base) {
    return TABLES[base + 7 * 256 + ((int) word & 0xFF)]
        ^ TABLES[base + 6 * 256 + ((int) (word >>> 8) & 0xFF)]
        ^ TABLES[base + 5 * 256 + ((int) (word >>> 16) & 0xFF)]
        ^ TABLES[base + 4 * 256 + ((int) (word >>> 24) & 0xFF)]
        ^ TABLES[base + 3 * 256 + ((int) (word >>> 32) & 0xFF)]
        ^ TABLES[base + 2 * 256 + ((int) (word >>> 40) & 0xFF)]
        ^ TABLES[base + 256 + ((int) (word >>> 48) & 0xFF)]
        ^ TABLES[base + ((int) (word >>> 56) & 0xFF)];
  }

  @Override
  public byte[] value() {
    return ByteBuffer.allocate(Long.BYTES).putLong(~crc).array();
  }
}
