package io.penstock.gateway.upstream;

import io.penstock.gateway.upstream.wire.Endpoint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the store said that a bucket lives, if that is not what the configuration says. Only
 * configured endpoints are ever a home.
 *
 * <p>Threading: confined to one event loop.
 */
final class BucketHomes {
  private static final int MOST_BUCKETS = 4096;

  private final String configuredRegion;
  private final Map<String, Home> homes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Home> eldest) {
          return size() > MOST_BUCKETS;
        }
      };

  /** A bucket's region and, if the store named one of ours, its endpoint. */
  record Home(String region, Optional<Endpoint> endpoint) {}

  BucketHomes(String configuredRegion) {
    this.configuredRegion = configuredRegion;
  }

  Home of(String bucket) {
    Home home = homes.isEmpty() ? null : homes.get(bucket);
    return home == null ? new Home(configuredRegion, Optional.empty()) : home;
  }

  /** Remembers; false if that was known already, so that following it again leads nowhere new. */
  boolean learn(String bucket, Home home) {
    if (of(bucket).equals(home)) {
      return false;
    }
    homes.put(bucket, home);
    return true;
  }
}
