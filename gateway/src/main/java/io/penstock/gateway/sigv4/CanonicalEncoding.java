package io.penstock.gateway.sigv4;

import java.nio.charset.StandardCharsets;

/**
 * Brings raw paths and queries to the one encoding that is signed: decoded once and encoded once by
 * the rules of S3. Letters, digits, {@code - . _ ~} stay, every other byte becomes {@code %XX} in
 * upper case; in a path {@code /} stays {@code /} and {@code %2F} becomes {@code /}, which is how
 * the AWS SDK for Java's Apache clients send the empty segments of a key whose signature has
 * slashes.
 *
 * <p>Threading: stateless.
 */
final class CanonicalEncoding {
  private static final String HEX = "0123456789ABCDEF";

  private CanonicalEncoding() {}

  /** {@code path} decoded once and encoded once; a {@code %} without two hex digits is itself. */
  static String recodePath(String path) {
    int end = path.length();
    return isCanonical(path, 0, end, true) ? path : recode(path, 0, end, true);
  }

  /** One name or value of a query, decoded once ({@code +} is a space) and encoded once. */
  static String recodeQuery(String query, int start, int end) {
    return isCanonical(query, start, end, false)
        ? query.substring(start, end)
        : recode(query, start, end, false);
  }

  /** Undoes the encoding of {@link #recodeQuery}; one character for each byte. */
  static String decode(String canonical) {
    if (canonical.indexOf('%') < 0) {
      return canonical;
    }
    StringBuilder out = new StringBuilder(canonical.length());
    for (int i = 0; i < canonical.length(); i++) {
      char c = canonical.charAt(i);
      if (c == '%') {
        out.append((char) escaped(canonical, i, canonical.length()));
        i += 2;
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isCanonical(String text, int start, int end, boolean path) {
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (!stays(c, path)) {
        if (c != '%' || !isCanonicalEscape(text, i, end, path)) {
          return false;
        }
        i += 2;
      }
    }
    return true;
  }

  private static boolean isCanonicalEscape(String text, int at, int end, boolean path) {
    int value = escaped(text, at, end);
    return value >= 0
        && !stays((char) value, path)
        && HEX.indexOf(text.charAt(at + 1)) >= 0
        && HEX.indexOf(text.charAt(at + 2)) >= 0;
  }

  private static String recode(String text, int start, int end, boolean path) {
    StringBuilder out = new StringBuilder(end - start + 32);
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      int value = c == '%' ? escaped(text, i, end) : -1;
      if (value >= 0) {
        i += 2;
        // bucket and key are split after decoding, so an encoded slash names no other object
        encode(value, path, out);
      } else if (c == '+' && !path) {
        encode(' ', path, out);
      } else if (c > 0xFF) {
        // never from the wire
        for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
          encode(b & 0xFF, path, out);
        }
      } else {
        encode(c, path, out);
      }
    }
    return out.toString();
  }

  private static void encode(int value, boolean path, StringBuilder out) {
    if (stays((char) value, path)) {
      out.append((char) value);
    } else {
      out.append('%').append(HEX.charAt(value >> 4)).append(HEX.charAt(value & 0xF));
    }
  }

  /** The byte that the escape at {@code at} stands for, or -1 if there is none. */
  private static int escaped(String text, int at, int end) {
    if (at + 2 >= end) {
      return -1;
    }
    int high = hexDigit(text.charAt(at + 1));
    int low = hexDigit(text.charAt(at + 2));
    return high < 0 || low < 0 ? -1 : (high << 4) | low;
  }

  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private static boolean stays(char c, boolean path) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~'
        || (path && c == '/');
  }
}
