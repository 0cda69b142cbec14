package io.penstock.gateway.tenant;

import io.penstock.config.TenantConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The tenants, by access key. A reload of the configuration makes a new directory.
 *
 * <p>Threading: immutable.
 */
public final class TenantDirectory {
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
    this.byAccessKey =
        all.stream()
            .filter(tenant -> !tenant.config().accessKey().isEmpty())
            .collect(
                Collectors.toUnmodifiableMap(
                    tenant -> tenant.config().accessKey(), Function.identity()));
  }

  public Optional<Tenant> byAccessKey(String accessKey) {
    return Optional.ofNullable(byAccessKey.get(accessKey));
  }

  /** The tenant of requests without any signature, if there is one. */
  public Optional<Tenant> anonymous() {
    return anonymous;
  }
}
