package io.penstock.gateway.sigv4;

import io.penstock.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Derives signing keys, and remembers those that have proved good. Remembering only after a
 * signature was right keeps strangers, who may name any day and region, from filling the cache.
 *
 * <p>Threading: safe.
 */
final class SigningKeys {
  private final int capacity;
  private final ConcurrentMap<Id, SigningKey> known = new ConcurrentHashMap<>();

  private record Id(Secret secret, CredentialScope scope) {}

  /** Holds at most {@code capacity} keys (a few more while threads race). */
  SigningKeys(int capacity) {
    this.capacity = capacity;
  }

  SigningKey get(Secret secret, CredentialScope scope) {
    @Nullable SigningKey key = known.get(new Id(secret, scope));
    return key != null ? key : new SigningKey(derive(secret, scope));
  }

  void remember(Secret secret, CredentialScope scope, SigningKey key) {
    if (known.putIfAbsent(new Id(secret, scope), key) == null && known.size() > capacity) {
      // the day turns once in 24 hours: starting over is cheaper than keeping order
      known.clear();
    }
  }

  int size() {
    return known.size();
  }

  static byte[] derive(Secret secret, CredentialScope scope) {
    byte[] key = ("AWS4" + secret.reveal()).getBytes(StandardCharsets.UTF_8);
    key = step(key, scope.date());
    key = step(key, scope.region());
    key = step(key, scope.service());
    return step(key, CredentialScope.TERMINATOR);
  }

  private static byte[] step(byte[] key, String data) {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    return Sha256.hmac(key, bytes, bytes.length);
  }
}
