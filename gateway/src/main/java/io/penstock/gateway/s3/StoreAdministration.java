package io.penstock.gateway.s3;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Paths under which stores keep their administration beside the buckets. The gateway signs with the
 * store's own credentials, often those of its administrator, so a tenant must not get there by
 * asking for an object. On these stores the names cannot be buckets; elsewhere the loss is a few
 * keys of a bucket with such a name.
 */
final class StoreAdministration {
  /** MinIO: everything below {@code /minio/} with one of these first segments. */
  private static final Pattern MINIO =
      Pattern.compile(
          "(admin|kms|metrics|health|prometheus|storage|peer|lock|bootstrap|grid|v[0-9]+)(/.*)?",
          Pattern.DOTALL);

  /** Ceph's radosgw: the resources of its admin operations. */
  private static final Set<String> RADOSGW =
      Set.of("user", "usage", "info", "bucket", "log", "config", "ratelimit", "account", "realm");

  private StoreAdministration() {}

  static boolean isAt(String bucket, String key) {
    return switch (bucket) {
      case "minio" -> MINIO.matcher(key).matches();
      case "admin" ->
          RADOSGW.contains(key) || key.equals("metadata") || key.startsWith("metadata/");
      default -> false;
    };
  }
}
