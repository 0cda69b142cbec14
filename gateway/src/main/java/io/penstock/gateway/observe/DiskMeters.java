package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.gateway.read.cache.disk.DiskObserver;

/**
 * The meters of the cache's second tier.
 *
 * <p>Threading: safe from every thread.
 */
final class DiskMeters implements DiskObserver {
  private final MeterRegistry registry;
  private final Counter hits;
  private final Counter misses;
  private final Counter corrupt;
  private final Counter read;
  private final Counter written;
  private final Counter dropped;

  DiskMeters(MeterRegistry registry) {
    this.registry = registry;
    String blocks = "Blocks looked for on disk: hit, miss (gone, or no memory), corrupt (deleted)";
    hits = counter("reads", blocks, "result", "hit");
    misses = counter("reads", blocks, "result", "miss");
    corrupt = counter("reads", blocks, "result", "corrupt");
    read = counter("read.bytes", "Bytes of blocks brought from disk");
    written = counter("written.bytes", "Bytes of blocks written to disk");
    dropped = counter("dropped.bytes", "Bytes of blocks not written, as too much was waiting");
  }

  private Counter counter(String name, String help, String... tags) {
    return Counter.builder("penstock.cache.disk." + name)
        .description(help)
        .tags(tags)
        .register(registry);
  }

  @Override
  public void read(long bytes) {
    hits.increment();
    read.increment((double) bytes);
  }

  @Override
  public void missed() {
    misses.increment();
  }

  @Override
  public void corrupt() {
    corrupt.increment();
  }

  @Override
  public void written(long bytes) {
    written.increment((double) bytes);
  }

  @Override
  public void dropped(long bytes) {
    dropped.increment((double) bytes);
  }
}
