package io.penstock.gateway.s3;

/**
 * Which bucket names are passed on. Wider than S3's rule for new buckets, because stores hold older
 * and odder names (upper case, underscores, {@code tenant:bucket} of radosgw); the store has the
 * last word. Narrow enough that a name cannot be mistaken for a path.
 */
final class BucketName {
  private static final int MAX_LENGTH = 255;

  private BucketName() {}

  static boolean isAcceptable(String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH || name.contains("..") || name.equals(".")) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letter && "-_.:".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
