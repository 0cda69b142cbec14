package io.penstock.gateway.s3;

import io.penstock.gateway.http.RequestHead;
import java.util.Locale;

/**
 * The user's own metadata of an object, {@code x-amz-meta-*}. S3 counts the bytes of all names,
 * without the prefix, and of all values, and allows 2 KiB.
 *
 * <p>Threading: stateless.
 */
public final class UserMetadata {
  private static final String PREFIX = "x-amz-meta-";

  private UserMetadata() {}

  /**
   * Checks the size.
   *
   * @throws S3Exception MetadataTooLarge above {@code maxBytes}
   */
  public static void check(RequestHead head, long maxBytes) {
    long size = size(head);
    if (size > maxBytes) {
      throw new S3Exception(
          S3Error.METADATA_TOO_LARGE,
          "Your metadata has " + size + " bytes; at most " + maxBytes + " are allowed");
    }
  }

  /** One character of a field is one byte on the wire. */
  private static long size(RequestHead head) {
    var fields = RequestFields.of(head).fields();
    long size = 0;
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
        size += fields.name(i).length() - PREFIX.length() + fields.value(i).length();
      }
    }
    return size;
  }
}
