package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.gateway.read.cache.CacheObserver;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The meters of the cache.
 *
 * <p>Threading: safe from every thread.
 */
final class CacheMeters implements CacheObserver {
  private final MeterRegistry registry;
  private final Map<Outcome, Counter> reads = new EnumMap<>(Outcome.class);
  private final Counter unchanged;
  private final Counter changed;
  private final Counter served;
  private final Counter filled;
  private final Counter evicted;
  private final Counter refused;
  private final Counter invalidated;
  private final Counter followed;
  private final Counter ahead;
  private final Counter wasted;

  CacheMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Outcome outcome : Outcome.values()) {
      reads.put(
          outcome,
          counter(
              "reads",
              "GETs of objects: hit (from memory), confirmed (from memory after the store was"
                  + " asked), miss (from the store), bypass (not for the cache)",
              "outcome",
              outcome.name().toLowerCase(Locale.ROOT)));
    }
    String asked = "Questions to the store whether a version is still the current one";
    unchanged = counter("revalidations", asked, "result", "unchanged");
    changed = counter("revalidations", asked, "result", "changed");
    served = counter("served.bytes", "Bytes handed to clients from memory");
    filled = counter("filled.bytes", "Bytes of blocks taken in");
    evicted = counter("evicted.bytes", "Bytes of blocks that had to go for others");
    refused = counter("refused.bytes", "Bytes of blocks that found no room");
    invalidated = counter("invalidations", "Objects removed because of a write");
    followed = counter("followers", "Waits of a read for what another one is already reading");
    ahead = counter("read.ahead.bytes", "Bytes planned ahead of sequential readers");
    wasted = counter("read.ahead.wasted.bytes", "Bytes brought ahead that nobody came for");
  }

  private Counter counter(String name, String help, String... tags) {
    return Counter.builder("penstock.cache." + name)
        .description(help)
        .tags(tags)
        .register(registry);
  }

  @Override
  public void answered(Outcome outcome) {
    Counter counter = reads.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void revalidated(boolean same) {
    (same ? unchanged : changed).increment();
  }

  @Override
  public void served(long bytes) {
    served.increment((double) bytes);
  }

  @Override
  public void filled(long bytes) {
    filled.increment((double) bytes);
  }

  @Override
  public void evicted(long bytes) {
    evicted.increment((double) bytes);
  }

  @Override
  public void refused(long bytes) {
    refused.increment((double) bytes);
  }

  @Override
  public void invalidated() {
    invalidated.increment();
  }

  @Override
  public void followed() {
    followed.increment();
  }

  @Override
  public void readAhead(long bytes) {
    ahead.increment((double) bytes);
  }

  @Override
  public void readAheadWasted(long bytes) {
    wasted.increment((double) bytes);
  }
}
