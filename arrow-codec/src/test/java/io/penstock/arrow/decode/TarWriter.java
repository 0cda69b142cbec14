package io.penstock.arrow.decode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes tar archives in tests, also such as no tool writes. */
final class TarWriter {

  private static final int BLOCK = 512;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  TarWriter entry(String name, char type, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "0000644\0");
    put(header, 124, "%011o\0".formatted(bytes.length));
    put(header, 136, "00000000000\0");
    put(header, 148, "        ");
    header[156] = (byte) type;
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum));
    out.writeBytes(header);
    out.writeBytes(Arrays.copyOf(bytes, (bytes.length + BLOCK - 1) / BLOCK * BLOCK));
    return this;
  }

  /** An extended header for the next entry. */
  TarWriter pax(String key, String value) {
    String record = " " + key + "=" + value + "\n";
    int rest = record.getBytes(StandardCharsets.UTF_8).length;
    // the length counts its own digits
    int length = rest + Integer.toString(rest + 2).length();
    return entry("PaxHeaders", 'x', length + record);
  }

  /** GNU's long name for the next entry. */
  TarWriter longName(String name) {
    return entry("././@LongLink", 'L', name + "\0");
  }

  byte[] end() {
    out.writeBytes(new byte[2 * BLOCK]);
    return out.toByteArray();
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
