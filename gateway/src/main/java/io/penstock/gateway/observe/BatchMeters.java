package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.penstock.gateway.batch.BatchObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The meters of batches and epochs.
 *
 * <p>Threading: safe from every thread.
 */
final class BatchMeters implements BatchObserver {
  private final MeterRegistry registry;
  private final Counter present;
  private final Counter missing;
  private final Counter batches;
  private final Counter bytes;
  private final Counter waits;
  private final Counter cutOff;
  private final Counter ringBytes;
  private final Counter ringWaits;
  private final Counter ringCutOff;
  private final AtomicLong ringMapped = new AtomicLong();
  private final Timer decoding;
  private final Map<String, Counter> failures = new ConcurrentHashMap<>();

  BatchMeters(MeterRegistry registry) {
    this.registry = registry;
    this.present = items("ok");
    this.missing = items("failed");
    this.batches = counter("penstock.batch.batches", "Batches taken by clients");
    this.bytes =
        Counter.builder("penstock.batch.payload")
            .description("Payload bytes of batches taken by clients, before compression")
            .baseUnit("bytes")
            .register(registry);
    this.waits = counter("penstock.batch.memory.waits", "Times a stream had to wait for memory");
    this.cutOff =
        counter("penstock.batch.clients.cut.off", "Clients that took nothing for too long");
    this.ringBytes =
        Counter.builder("penstock.batch.ring.written")
            .description("Bytes copied into rings in shared memory")
            .baseUnit("bytes")
            .register(registry);
    this.ringWaits = counter("penstock.batch.ring.waits", "Records that had to wait for room");
    this.ringCutOff =
        counter(
            "penstock.batch.ring.consumers.cut.off",
            "Consumers of rings that died, or were too slow");
    Gauge.builder("penstock.batch.ring.mapped", ringMapped, AtomicLong::get)
        .description("Shared memory of the rings that are being written, which their owners hold")
        .baseUnit("bytes")
        .register(registry);
    this.decoding =
        Timer.builder("penstock.batch.decode.duration")
            .description("Decoding of one item on a codec thread")
            .serviceLevelObjectives(Meters.LATENCY_BUCKETS)
            .register(registry);
  }

  private Counter items(String outcome) {
    return Counter.builder("penstock.batch.items")
        .description("Items of batches taken by clients")
        .tag("outcome", outcome)
        .register(registry);
  }

  private Counter counter(String name, String help) {
    return Counter.builder(name).description(help).register(registry);
  }

  @Override
  public void batch(long payload, int there, int failed) {
    batches.increment();
    bytes.increment((double) payload);
    present.increment(there);
    missing.increment(failed);
  }

  @Override
  public void failed(String code) {
    failures
        .computeIfAbsent(
            known(code),
            tag ->
                Counter.builder("penstock.batch.streams.failed")
                    .description("Streams that ended with an error after they had begun")
                    .tag("code", tag)
                    .register(registry))
        .increment();
  }

  /** Stores invent codes; tags must not. */
  private static String known(String code) {
    return switch (code) {
      case "AccessDenied",
          "NoSuchKey",
          "NoSuchBucket",
          "SlowDown",
          "ServiceUnavailable",
          "InternalError",
          "EntityTooLarge" ->
          code;
      default -> "other";
    };
  }

  @Override
  public void decoded(long nanos) {
    decoding.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void waited() {
    waits.increment();
  }

  @Override
  public void cutOff() {
    cutOff.increment();
  }

  @Override
  public void ringMapped(long change) {
    ringMapped.addAndGet(change);
  }

  @Override
  public void ringWritten(long written, boolean waited) {
    ringBytes.increment((double) written);
    if (waited) {
      ringWaits.increment();
    }
  }

  @Override
  public void ringConsumersCutOff(long count) {
    ringCutOff.increment((double) count);
  }
}
