package io.penstock.gateway.tenant;

import io.penstock.config.TenantConfig;

/** A tenant with its policy ready to use. */
public record Tenant(TenantConfig config, Policy policy) {
  public Tenant(TenantConfig config) {
    this(config, new Policy(config.policy()));
  }

  public String name() {
    return config.name();
  }
}
