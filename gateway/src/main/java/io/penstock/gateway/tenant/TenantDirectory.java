package io.penstock.gateway.tenant;

import io.penstock.config.TenantConfig;
import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.sigv4.CredentialSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tenants, by access key. A reload of the configuration makes a new directory.
 *
 * <p>Threading: immutable.
 */
public final class TenantDirectory implements CredentialSource {
  private final Map<String, Tenant> byAccessKey;
  private final Optional<Tenant> anonymous;

  /**
   * A directory of these tenants.
   *
   * @throws IllegalArgumentException if two have the same access key, or two are anonymous
   */
  public TenantDirectory(List<TenantConfig> tenants) {
    List<Tenant> all = tenants.stream().map(Tenant::new).toList();
    List<Tenant> nameless = all.stream().filter(tenant -> tenant.config().anonymous()).toList();
    if (nameless.size() > 1) {
      throw new IllegalArgumentException("only one tenant can be anonymous");
    }
    this.anonymous = nameless.stream().findFirst();
    Map<String, Tenant> byAccessKey = new HashMap<>();
    for (Tenant tenant : all) {
      if (!tenant.config().anonymous()
          && byAccessKey.put(tenant.config().accessKey(), tenant) != null) {
        throw new IllegalArgumentException(
            "the tenant " + tenant.name() + " has the access key of another; give it its own");
      }
    }
    this.byAccessKey = Map.copyOf(byAccessKey);
  }

  public Optional<Tenant> byAccessKey(String accessKey) {
    return Optional.ofNullable(byAccessKey.get(accessKey));
  }

  @Override
  public Optional<Credential> find(String accessKey) {
    return byAccessKey(accessKey)
        .map(tenant -> new Credential(accessKey, tenant.config().secretKey(), Optional.empty()));
  }

  /** The tenant of requests without any signature, if there is one. */
  public Optional<Tenant> anonymous() {
    return anonymous;
  }
}
