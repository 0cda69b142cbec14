package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.penstock.gateway.transform.ComputeObserver;
import java.util.concurrent.TimeUnit;

/**
 * The meters of frozen layers.
 *
 * <p>Threading: safe from every thread.
 */
final class TransformMeters implements ComputeObserver {
  private final Timer computing;
  private final Counter found;
  private final Counter automatic;
  private final Counter pinned;

  TransformMeters(MeterRegistry registry) {
    this.computing =
        Timer.builder("penstock.transform.compute.duration")
            .description("Frozen layers of one sample on a codec thread")
            .serviceLevelObjectives(Meters.LATENCY_BUCKETS)
            .register(registry);
    this.found =
        Counter.builder("penstock.transform.cached")
            .description("Samples whose features were in the cache, so that nothing was computed")
            .register(registry);
    this.automatic = splits(registry, "auto");
    this.pinned = splits(registry, "pinned");
  }

  private static Counter splits(MeterRegistry registry, String by) {
    return Counter.builder("penstock.transform.splits")
        .description("Streams that were given a split")
        .tag("chosen", by)
        .register(registry);
  }

  @Override
  public void computed(long nanos) {
    computing.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void found() {
    found.increment();
  }

  @Override
  public void chosen(boolean automatically) {
    (automatically ? automatic : pinned).increment();
  }
}
