package io.penstock.gateway.embedded;

/**
 * Object keys as path names of a file system, and back. A file system knows empty, {@code .} and
 * {@code ..} segments only as something else, and cannot hold {@code a} beside {@code a/b}; S3 can.
 *
 * <p>Every character moves by at most one place so that two things become free: no name holds a
 * dot, and {@code 0} can mark a segment that a slash follows. Hence {@code a//b} is {@code b0/0/c},
 * a key never names a folder, and the order of keys, their prefixes and their slashes are those of
 * the names: a store that lists names by prefix and delimiter lists keys by prefix and delimiter.
 */
final class KeyAlphabet {
  /** The name of an object whose key ends in a slash; sorts before everything below it. */
  private static final char FOLDER_ITSELF = '\u0001';

  private static final char BEFORE_SLASH = '0';

  private KeyAlphabet() {}

  /**
   * The name of a whole key.
   *
   * @throws IllegalArgumentException for four control characters that have no place left
   */
  static String nameOf(String key) {
    String name = prefixOf(key);
    return key.endsWith("/") ? name + FOLDER_ITSELF : name;
  }

  /** What the names of all keys with this prefix start with. */
  static String prefixOf(String keyPrefix) {
    var name = new StringBuilder(keyPrefix.length() + 16);
    for (int i = 0; i < keyPrefix.length(); i++) {
      char c = keyPrefix.charAt(i);
      if (c == '/') {
        name.append(BEFORE_SLASH).append('/');
      } else {
        name.append(shifted(c));
      }
    }
    return name.toString();
  }

  /** The key, or the prefix, of a name. */
  static String keyOf(String name) {
    var key = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == BEFORE_SLASH) {
        key.append('/');
        i++;
      } else if (c != FOLDER_ITSELF) {
        key.append(unshifted(c));
      }
    }
    return key.toString();
  }

  private static char shifted(char c) {
    if (c <= 2 || c == 0x80) {
      throw new IllegalArgumentException(
          "a key with the control character %d cannot be stored here".formatted((int) c));
    }
    if (c < '/') {
      return (char) (c - 1);
    }
    return c < 0x80 ? (char) (c + 1) : c;
  }

  private static char unshifted(char c) {
    if (c < '/') {
      return (char) (c + 1);
    }
    return c <= 0x80 ? (char) (c - 1) : c;
  }
}
