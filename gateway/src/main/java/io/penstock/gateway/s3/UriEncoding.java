package io.penstock.gateway.s3;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Percent-encoding by S3's rules. Encoding leaves only {@code A-Z a-z 0-9 - . _ ~} as they are and
 * writes every other byte of the UTF-8 form as {@code %XX} in upper case. Decoding is done exactly
 * once and is strict: an incomplete {@code %XX} and bytes that are not UTF-8 are errors, never
 * replaced. Characters up to U+00FF in encoded input stand for one raw byte, which is how the HTTP
 * layer hands over a request line.
 *
 * <p>Threading: stateless.
 */
public final class UriEncoding {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();
  private static final int MAX_SHOWN = 64;

  private UriEncoding() {}

  /** Encodes everything but unreserved characters; for query values and bucket names. */
  public static String encode(String value) {
    return encode(value, false);
  }

  /** Encodes a key for use in a path: as {@link #encode}, but slashes stay. */
  public static String encodePath(String key) {
    return encode(key, true);
  }

  /**
   * Decodes a raw path; {@code +} is a plus sign.
   *
   * @throws S3Exception InvalidURI
   */
  public static String decodePath(String raw) {
    return decode(raw, false);
  }

  /**
   * Decodes a name or value of a raw query. A {@code +} is a space, as S3 itself and radosgw read
   * it; clients that sign always send {@code %20} and {@code %2B}.
   *
   * @throws S3Exception InvalidURI
   */
  public static String decodeQuery(String raw) {
    return decode(raw, true);
  }

  /** Text of a stranger for a message: encoded, and not long. */
  static String shown(String text) {
    String encoded = encode(text);
    return encoded.length() <= MAX_SHOWN ? encoded : encoded.substring(0, MAX_SHOWN) + "...";
  }

  private static String encode(String value, boolean keepSlash) {
    int clean = 0;
    while (clean < value.length() && isPlain(value.charAt(clean), keepSlash)) {
      clean++;
    }
    if (clean == value.length()) {
      return value;
    }
    ByteBuffer bytes;
    try {
      bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("an unpaired surrogate cannot be encoded", e);
    }
    StringBuilder out = new StringBuilder(bytes.remaining() + 16);
    while (bytes.hasRemaining()) {
      int b = bytes.get() & 0xff;
      if (isPlain((char) b, keepSlash)) {
        out.append((char) b);
      } else {
        out.append('%').append(HEX[b >> 4]).append(HEX[b & 15]);
      }
    }
    return out.toString();
  }

  private static boolean isPlain(char c, boolean keepSlash) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~'
        || (keepSlash && c == '/');
  }

  private static String decode(String raw, boolean plusIsSpace) {
    if (isLiteral(raw, plusIsSpace)) {
      return raw;
    }
    ByteBuffer bytes = ByteBuffer.allocate(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.put(octet(raw, i));
        i += 2;
      } else if (c > 0xff) {
        throw new S3Exception(S3Error.INVALID_URI, "The URI holds a character that is not encoded");
      } else {
        bytes.put((byte) (c == '+' && plusIsSpace ? ' ' : c));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException _) {
      throw new S3Exception(
          S3Error.INVALID_URI, "The URI is not UTF-8; percent-encode the UTF-8 bytes of names");
    }
  }

  private static boolean isLiteral(String raw, boolean plusIsSpace) {
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%' || c > 0x7f || (plusIsSpace && c == '+')) {
        return false;
      }
    }
    return true;
  }

  private static byte octet(String raw, int percent) {
    int high = percent + 1 < raw.length() ? hex(raw.charAt(percent + 1)) : -1;
    int low = percent + 2 < raw.length() ? hex(raw.charAt(percent + 2)) : -1;
    if (high < 0 || low < 0) {
      throw new S3Exception(
          S3Error.INVALID_URI,
          "The URI holds a % that is not followed by two hexadecimal digits; write it as %25");
    }
    return (byte) (high << 4 | low);
  }

  private static int hex(char c) {
    // Character.digit would also take digits of other scripts
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }
}
