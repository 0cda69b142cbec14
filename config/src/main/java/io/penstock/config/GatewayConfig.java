package io.penstock.config;

import java.util.List;
import java.util.Optional;

/** The whole configuration of one gateway, checked. */
public record GatewayConfig(
    @Key(doc = "Where the gateway listens.") ListenConfig listen,
    @Key(doc = "The S3 store behind the gateway.") UpstreamConfig upstream,
    @Key(doc = "Who may use the gateway. At least one tenant.", min = "1", reloadable = true)
        List<TenantConfig> tenants,
    @Key(doc = "Bounds on what clients may send and on what is taken on at once.")
        LimitsConfig limits,
    @Key(doc = "What the gateway keeps of what it has read.") CacheConfig cache,
    @Key(doc = "Batches and epochs: many objects in one Arrow stream.") BatchConfig batch,
    @Key(doc = "Frozen networks whose first layers can be applied to batches. Off if left out.")
        Optional<ModelsConfig> models,
    @Key(doc = "The machine: transport, event loops, memory.") RuntimeConfig runtime,
    @Key(doc = "What is written about requests.") LogConfig log) {
  public GatewayConfig {
    tenants = List.copyOf(tenants);
  }
}
