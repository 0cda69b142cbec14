package io.penstock.gateway.transform;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the clients of each tenant take in a second, as their streams have shown. A client that is
 * busy training looks like a slow link: from here both are the same.
 *
 * <p>Threading: any thread.
 */
final class ClientRates {
  /** Less than that disappears in the buffers of sockets. */
  private static final long TELLING_BYTES = 4 << 20;

  private static final double NEWS = 0.5;
  private static final int MOST_TENANTS = 4096;

  private final double assumed;
  private final Map<String, Double> rates =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Double> eldest) {
          return size() > MOST_TENANTS;
        }
      };

  ClientRates(double assumed) {
    this.assumed = assumed;
  }

  /** A stream is over: while bytes were waiting for the client it took so many. */
  synchronized void took(String tenant, long bytes, double seconds) {
    if (bytes >= TELLING_BYTES && seconds > 0) {
      rates.merge(tenant, bytes / seconds, (old, now) -> old + NEWS * (now - old));
    }
  }

  /** Bytes per second. */
  synchronized double of(String tenant) {
    return rates.getOrDefault(tenant, assumed);
  }
}
