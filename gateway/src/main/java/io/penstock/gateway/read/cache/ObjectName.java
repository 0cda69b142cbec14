package io.penstock.gateway.read.cache;

/**
 * What a read names.
 *
 * @param version the version asked for, empty for the current one
 */
record ObjectName(String bucket, String key, String version) {

  /** The same for all versions of an object, well spread. */
  long fingerprint() {
    long hash = 0x9E3779B97F4A7C15L * (31L * bucket.hashCode() + key.hashCode());
    return hash ^ (hash >>> 32);
  }
}
