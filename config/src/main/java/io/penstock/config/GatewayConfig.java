package io.penstock.config;

import java.util.List;

/** The whole configuration of one gateway, checked. */
public record GatewayConfig(
    ListenConfig listen,
    UpstreamConfig upstream,
    List<TenantConfig> tenants,
    LimitsConfig limits,
    RuntimeConfig runtime) {}
