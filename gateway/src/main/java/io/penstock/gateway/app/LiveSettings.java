package io.penstock.gateway.app;

import io.penstock.config.BatchConfig;
import io.penstock.config.ConfigHandle;
import io.penstock.config.GatewayConfig;
import io.penstock.config.LimitsConfig;
import io.penstock.config.LogConfig;
import io.penstock.config.UpstreamConfig;
import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.tenant.TenantDirectory;
import java.time.Duration;
import java.util.Optional;

/**
 * What may change while the gateway runs, as it is now. Each request asks anew, so a change of
 * tenants, keys or limits is in force for the next request without a restart.
 *
 * <p>Threading: safe from every thread.
 */
final class LiveSettings {
  private final ConfigHandle handle;
  private volatile TenantDirectory tenants;

  LiveSettings(ConfigHandle handle) {
    this.handle = handle;
    this.tenants = new TenantDirectory(handle.current().tenants());
    handle.subscribe(
        change -> {
          if (change.touches("tenants")) {
            tenants = new TenantDirectory(change.after().tenants());
          }
        });
  }

  GatewayConfig config() {
    return handle.current();
  }

  ConfigHandle handle() {
    return handle;
  }

  TenantDirectory tenants() {
    return tenants;
  }

  /** The secret behind a tenant's access key. */
  Optional<Credential> credential(String accessKey) {
    return tenants
        .byAccessKey(accessKey)
        .map(tenant -> new Credential(accessKey, tenant.config().secretKey(), Optional.empty()));
  }

  /** What requests to the store are signed with. */
  Credential storeCredential() {
    UpstreamConfig store = handle.current().upstream();
    return new Credential(store.accessKey(), store.secretKey(), store.sessionToken());
  }

  int maxInFlight() {
    return limits().maxInFlight();
  }

  long maxMetadata() {
    return limits().maxMetadata().bytes();
  }

  long maxBody() {
    return limits().maxBody().bytes();
  }

  long maxDocument() {
    return limits().maxXmlBody().bytes();
  }

  BatchConfig batch() {
    return handle.current().batch();
  }

  LogConfig.Access accessLog() {
    return handle.current().log().access();
  }

  Duration drainTimeout() {
    return limits().drainTimeout();
  }

  private LimitsConfig limits() {
    return handle.current().limits();
  }
}
