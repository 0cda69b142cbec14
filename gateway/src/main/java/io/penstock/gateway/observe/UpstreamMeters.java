package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of the way to the store. Endpoints are tags because they come from configuration and
 * are few.
 *
 * <p>Threading: safe from every event loop.
 */
final class UpstreamMeters implements UpstreamObserver {
  private final MeterRegistry registry;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> levels = new ConcurrentHashMap<>();

  UpstreamMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void answered(String operation, int status, long nanos) {
    head(operation, Integer.toString(status)).record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void failed(String operation, UpstreamFailure failure, long nanos) {
    head(operation, outcome(failure)).record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer head(String operation, String outcome) {
    return timers.computeIfAbsent(
        operation + ' ' + outcome,
        _ ->
            Timer.builder("penstock.upstream.request.duration")
                .description(
                    "One try at the store, from its start to the head of the answer or its failure")
                .tags(Tags.of("operation", operation, "outcome", outcome))
                .serviceLevelObjectives(Meters.LATENCY_BUCKETS)
                .register(registry));
  }

  private static String outcome(UpstreamFailure failure) {
    return switch (failure) {
      case UpstreamFailure.Unreachable _ -> "unreachable";
      case UpstreamFailure.Broken _ -> "broken";
      case UpstreamFailure.TimedOut _ -> "timed-out";
      case UpstreamFailure.Overloaded _ -> "overloaded";
      case UpstreamFailure.Cancelled _ -> "cancelled";
      case UpstreamFailure.BodyFailed _ -> "body-failed";
    };
  }

  @Override
  public void retried(String operation) {
    count("penstock.upstream.retries", "Tries repeated", "operation", operation).increment();
  }

  @Override
  public void retryRefused(String operation) {
    count(
            "penstock.upstream.retries.refused",
            "Retries not made because the retry budget was spent",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void hedged(String operation) {
    count("penstock.upstream.hedges", "Second tries for late answers", "operation", operation)
        .increment();
  }

  @Override
  public void hedgeWon(String operation) {
    count(
            "penstock.upstream.hedges.won",
            "Second tries that were answered first",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void hedgeRefused(String operation) {
    count(
            "penstock.upstream.hedges.refused",
            "Late answers without a second try because the hedge budget was spent",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void throttled(String operation, long nanos) {
    count(
            "penstock.upstream.throttled",
            "Calls held back because the store asked to slow down",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void resumed(String operation) {
    count(
            "penstock.upstream.resumes",
            "Broken response bodies that went on over another connection",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void truncated(String operation) {
    count(
            "penstock.upstream.truncated",
            "Response bodies that broke for good after some of it was delivered",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void partStarted(String operation) {
    count(
            "penstock.upstream.parts",
            "Parts of objects asked for beside others",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void partWasted(String operation, long bytes) {
    count("penstock.upstream.parts.wasted", "Parts of objects read in vain", "operation", operation)
        .increment();
    count(
            "penstock.upstream.parts.wasted.bytes",
            "Bytes of parts read in vain",
            "operation",
            operation)
        .increment((double) bytes);
  }

  @Override
  public void fanOutChanged(String operation, int delta) {
    level(
            "penstock.upstream.fan.out",
            "Connections that read objects beside each object's first",
            "operation",
            operation)
        .addAndGet(delta);
  }

  @Override
  public void fanOutGivenUp(String operation) {
    count(
            "penstock.upstream.fan.outs.given.up",
            "Times that several connections for one object were not worth their while",
            "operation",
            operation)
        .increment();
  }

  @Override
  public void connectionOpened(String endpoint, long nanos) {
    count("penstock.upstream.connections.opened", "Connections made", "endpoint", endpoint)
        .increment();
    level("penstock.upstream.connections", "Open connections", endpoint).incrementAndGet();
  }

  @Override
  public void connectionClosed(String endpoint) {
    level("penstock.upstream.connections", "Open connections", endpoint).decrementAndGet();
  }

  @Override
  public void connectionRefused(String endpoint) {
    count(
            "penstock.upstream.connections.refused",
            "Connections that could not be made",
            "endpoint",
            endpoint)
        .increment();
  }

  @Override
  public void idleChanged(String endpoint, int delta) {
    level("penstock.upstream.connections.idle", "Connections waiting for work", endpoint)
        .addAndGet(delta);
  }

  @Override
  public void waitingChanged(String endpoint, int delta) {
    level("penstock.upstream.calls.waiting", "Calls waiting for a connection", endpoint)
        .addAndGet(delta);
  }

  @Override
  public void stale(String endpoint) {
    count(
            "penstock.upstream.connections.stale",
            "Pooled connections found closed when used",
            "endpoint",
            endpoint)
        .increment();
  }

  @Override
  public void sent(String endpoint, long bytes) {
    count("penstock.upstream.sent.bytes", "Body bytes sent to the store", "endpoint", endpoint)
        .increment((double) bytes);
  }

  @Override
  public void received(String endpoint, long bytes) {
    count(
            "penstock.upstream.received.bytes",
            "Body bytes received from the store",
            "endpoint",
            endpoint)
        .increment((double) bytes);
  }

  @Override
  public void ejected(String endpoint) {
    level("penstock.upstream.endpoints.ejected", "1 while an endpoint gets no calls", endpoint)
        .set(1);
  }

  @Override
  public void restored(String endpoint) {
    level("penstock.upstream.endpoints.ejected", "1 while an endpoint gets no calls", endpoint)
        .set(0);
  }

  private Counter count(String name, String help, String tag, String value) {
    return counters.computeIfAbsent(
        name + ' ' + value,
        _ -> Counter.builder(name).description(help).tag(tag, value).register(registry));
  }

  private AtomicInteger level(String name, String help, String endpoint) {
    return level(name, help, "endpoint", endpoint);
  }

  private AtomicInteger level(String name, String help, String tag, String value) {
    return levels.computeIfAbsent(
        name + ' ' + value,
        _ -> {
          AtomicInteger level = new AtomicInteger();
          io.micrometer.core.instrument.Gauge.builder(name, level, AtomicInteger::get)
              .description(help)
              .tag(tag, value)
              .strongReference(true)
              .register(registry);
          return level;
        });
  }
}
