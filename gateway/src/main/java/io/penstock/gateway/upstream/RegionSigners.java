package io.penstock.gateway.upstream;

import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.sigv4.SigV4Signer;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * One signer a region. Regions beside the configured one come from the store's own answers, so
 * there are only so many.
 *
 * <p>Threading: safe.
 */
final class RegionSigners {
  private static final int MOST_REGIONS = 64;

  private final Map<String, SigV4Signer> signers = new ConcurrentHashMap<>();
  private final Supplier<Credential> credentials;
  private final InstantSource clock;

  RegionSigners(Supplier<Credential> credentials, InstantSource clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  SigV4Signer of(String region) {
    SigV4Signer known = signers.get(region);
    if (known != null) {
      return known;
    }
    if (signers.size() >= MOST_REGIONS) {
      signers.clear();
    }
    return signers.computeIfAbsent(region, r -> new SigV4Signer(credentials, r, clock));
  }
}
