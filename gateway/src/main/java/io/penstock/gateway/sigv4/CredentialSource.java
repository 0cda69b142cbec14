package io.penstock.gateway.sigv4;

import java.util.Optional;

/**
 * Knows the secret of every access key that may sign.
 *
 * <p>Threading: called from every event loop; must not block.
 */
@FunctionalInterface
public interface CredentialSource {
  Optional<Credential> find(String accessKey);
}
