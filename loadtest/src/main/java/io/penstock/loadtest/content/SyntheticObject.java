package io.penstock.loadtest.content;

import java.util.HexFormat;
import java.util.Optional;

/**
 * An object that exists because of its name: {@code SIZE-N} is {@code SIZE} bytes of {@link
 * Content} number {@code N}. Names may have a prefix that ends in a slash.
 */
public record SyntheticObject(String name, long size, int n) {

  /** The object that {@code key} names, or empty: no such key. */
  public static Optional<SyntheticObject> named(String key) {
    String last = key.substring(key.lastIndexOf('/') + 1);
    int dash = last.indexOf('-');
    long size = number(last, 0, dash, Long.MAX_VALUE / 10);
    long n = number(last, dash + 1, last.length(), Integer.MAX_VALUE);
    return dash < 1 || size < 0 || n < 0
        ? Optional.empty()
        : Optional.of(new SyntheticObject(key, size, (int) n));
  }

  private static long number(String text, int from, int to, long max) {
    long value = from < to ? 0 : -1;
    for (int i = from; i < to && value >= 0; i++) {
      int digit = text.charAt(i) - '0';
      value = digit < 0 || digit > 9 || value > max / 10 ? -1 : value * 10 + digit;
    }
    return value > max ? -1 : value;
  }

  /** In quotes, as in the header; the same name always has the same one. */
  public String etag() {
    long hash = 0x9E3779B97F4A7C15L * (name.hashCode() + 31L * size + n);
    HexFormat hex = HexFormat.of();
    long other = Long.rotateLeft(hash, 23) ^ size;
    return '"' + hex.toHexDigits(hash) + hex.toHexDigits(other) + '"';
  }
}
