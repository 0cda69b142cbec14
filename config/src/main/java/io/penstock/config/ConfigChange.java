package io.penstock.config;

import java.util.List;

/**
 * One change of the running configuration.
 *
 * @param paths dotted paths of the keys that differ, or whose file has new content
 */
public record ConfigChange(GatewayConfig before, GatewayConfig after, List<String> paths) {
  public ConfigChange {
    paths = List.copyOf(paths);
  }

  /** Whether the key, or anything under it, changed: {@code touches("listen.s3.tls")}. */
  public boolean touches(String key) {
    return paths.stream()
        .anyMatch(
            path -> path.equals(key) || path.startsWith(key + ".") || path.startsWith(key + "["));
  }
}
