package io.penstock.arrow.decode;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Extended headers of a tar archive: lines of {@code "length key=value\n"} (POSIX.1-2001 pax). */
final class PaxRecords {

  private static final int LENGTH_DIGITS = 9;

  private PaxRecords() {}

  static Map<String, String> parse(byte[] bytes) throws DecodeException {
    Map<String, String> records = new LinkedHashMap<>();
    int at = 0;
    while (at < bytes.length && bytes[at] != 0) {
      int digits = at;
      int length = 0;
      while (digits < bytes.length
          && digits - at < LENGTH_DIGITS
          && bytes[digits] >= '0'
          && bytes[digits] <= '9') {
        length = length * 10 + (bytes[digits++] - '0');
      }
      int end = at + length;
      if (digits == at
          || digits + 1 >= bytes.length
          || bytes[digits] != ' '
          || end > bytes.length
          || end <= digits + 1
          || bytes[end - 1] != '\n') {
        throw DecodeException.corrupt("an extended header of the tar archive is malformed");
      }
      put(records, new String(bytes, digits + 1, end - digits - 2, StandardCharsets.UTF_8));
      at = end;
    }
    return records;
  }

  private static void put(Map<String, String> records, String line) throws DecodeException {
    int equals = line.indexOf('=');
    if (equals <= 0) {
      throw DecodeException.corrupt("an extended header of the tar archive has no key");
    }
    records.put(line.substring(0, equals), line.substring(equals + 1));
  }
}
