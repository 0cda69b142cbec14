package io.penstock.gateway.tenant;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What a key becomes where {@code .} and {@code ..} are taken for folders. S3 does not do that, but
 * a web server before the store might.
 */
final class DotSegments {
  private DotSegments() {}

  /** The resolved key, or empty if it climbs out of the bucket. */
  static Optional<String> resolve(String key) {
    if (!key.contains("./") && !key.endsWith(".")) {
      return Optional.of(key);
    }
    Deque<String> segments = new ArrayDeque<>();
    String[] parts = key.split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean last = i == parts.length - 1;
      if (parts[i].equals("..")) {
        if (segments.isEmpty()) {
          return Optional.empty();
        }
        segments.removeLast();
      } else if (!parts[i].equals(".")) {
        segments.addLast(parts[i]);
        continue;
      }
      if (last) {
        segments.addLast("");
      }
    }
    return Optional.of(String.join("/", segments));
  }
}
