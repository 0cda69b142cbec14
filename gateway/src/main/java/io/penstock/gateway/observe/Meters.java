package io.penstock.gateway.observe;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.penstock.gateway.batch.BatchObserver;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.read.cache.CacheObserver;
import io.penstock.gateway.read.cache.ReadCache;
import io.penstock.gateway.read.cache.disk.DiskObserver;
import io.penstock.gateway.read.cache.disk.DiskTier;
import io.penstock.gateway.transform.ComputeObserver;
import io.penstock.gateway.upstream.UpstreamObserver;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Every meter of the gateway, declared once, in Prometheus base units. Tags are bounded: S3
 * operation, HTTP method, status, S3 error code, outcome; never a key and never a bucket.
 *
 * <p>Threading: safe from every thread; the counters of one kind of request are looked up once and
 * then held.
 */
public final class Meters implements AutoCloseable {
  static final Duration[] LATENCY_BUCKETS = {
    Duration.ofNanos(250_000), Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(5),
    Duration.ofMillis(10), Duration.ofMillis(25), Duration.ofMillis(50), Duration.ofMillis(100),
    Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofMillis(2500),
    Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60),
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<RequestKind, RequestMeters> requests = new ConcurrentHashMap<>();
  private final Map<String, Counter> rejected = new ConcurrentHashMap<>();
  private final Map<String, Counter> cancelled = new ConcurrentHashMap<>();
  private final UpstreamObserver upstream = new UpstreamMeters(registry);
  private final ReadCache.Observers cache;
  private final BatchObserver batches;
  private final ComputeObserver transforms;
  private final JvmGcMetrics gc = new JvmGcMetrics();

  private record RequestKind(String operation, String method, int status) {}

  private record RequestMeters(Timer duration, Timer firstByte, Counter received, Counter sent) {}

  public Meters(String version, String commit, String transport) {
    registry.config().meterFilter(new PrometheusNames());
    cache = new ReadCache.Observers(new CacheMeters(registry), new DiskMeters(registry));
    batches = new BatchMeters(registry);
    transforms = new TransformMeters(registry);
    Gauge.builder("penstock.build.info", () -> 1)
        .description("Always 1; version, commit and transport are in the labels")
        .tag("version", version)
        .tag("commit", commit)
        .tag("transport", transport)
        .register(registry);
    Gauge.builder(
            "penstock.netty.direct.memory.used",
            () -> PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
        .description("Direct memory held by the pooled allocator")
        .baseUnit("bytes")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, it -> it.getProcessCpuTime() / 1e9)
          .description("CPU time of the process")
          .baseUnit("seconds")
          .register(registry);
    }
    gc.bindTo(registry);
  }

  /** Counts one exchange that has come to its end. */
  public void finished(Exchange exchange, long endNanos) {
    String operation = exchange.operationName().orElse("Unknown");
    RequestKind kind =
        new RequestKind(operation, method(exchange.head().method()), exchange.status());
    RequestMeters meters = requests.computeIfAbsent(kind, this::register);
    meters.duration.record(endNanos - exchange.startNanos(), TimeUnit.NANOSECONDS);
    long firstByte = exchange.response().firstByteNanos();
    if (firstByte != 0) {
      meters.firstByte.record(firstByte - exchange.startNanos(), TimeUnit.NANOSECONDS);
    }
    meters.received.increment((double) exchange.body().bytesRead());
    meters.sent.increment((double) exchange.response().bytesWritten());
    if (exchange.errorCode().isEmpty() && exchange.cancellation().isCancelled()) {
      cancelled.computeIfAbsent(operation, this::registerCancelled).increment();
    }
    if (!exchange.errorCode().isEmpty()) {
      rejected.computeIfAbsent(exchange.errorCode(), this::registerRejected).increment();
    }
  }

  private RequestMeters register(RequestKind kind) {
    return new RequestMeters(
        timer(
            "penstock.request.duration",
            "From a request's head to the last byte of its answer",
            kind),
        timer(
            "penstock.request.first.byte",
            "From a request's head to the first byte of its answer",
            kind),
        counter(
            "penstock.request.received",
            "Body bytes taken from clients",
            "bytes",
            kind.operation()),
        counter(
            "penstock.response.sent", "Body bytes handed to clients", "bytes", kind.operation()));
  }

  private Timer timer(String name, String help, RequestKind kind) {
    return Timer.builder(name)
        .description(help + "; status 0: the client left before an answer")
        .tag("operation", kind.operation())
        .tag("method", kind.method())
        .tag("status", Integer.toString(kind.status()))
        .serviceLevelObjectives(LATENCY_BUCKETS)
        .register(registry);
  }

  private Counter counter(String name, String help, String unit, String operation) {
    return Counter.builder(name)
        .description(help)
        .baseUnit(unit)
        .tag("operation", operation)
        .register(registry);
  }

  private Counter registerCancelled(String operation) {
    return Counter.builder("penstock.requests.cancelled")
        .description("Requests whose client left before it had the whole answer")
        .tag("operation", operation)
        .register(registry);
  }

  private Counter registerRejected(String code) {
    return Counter.builder("penstock.requests.rejected")
        .description(
            "Requests that the gateway itself answered with an S3 error, or broke off, by code")
        .tag("code", code)
        .register(registry);
  }

  /** A gauge read at each scrape. */
  public void gauge(String name, String help, Supplier<Number> value, String... tags) {
    Gauge.builder(name, value).description(help).tags(tags).register(registry);
  }

  /** A count that somebody else keeps, read at each scrape. */
  public void count(String name, String help, Supplier<Number> value, String... tags) {
    FunctionCounter.builder(name, value, it -> it.get().doubleValue())
        .description(help)
        .tags(tags)
        .register(registry);
  }

  /** A counter with fixed tags; call once for each combination and keep it. */
  public Counter counter(String name, String help, String... tags) {
    return Counter.builder(name).description(help).tags(tags).register(registry);
  }

  /** The meters of the way to the store. */
  public UpstreamObserver upstream() {
    return upstream;
  }

  /** The meters of the cache. */
  public ReadCache.Observers cache() {
    return cache;
  }

  /** What the cache's second tier holds. */
  public void gauges(DiskTier disk) {
    gauge(
        "penstock.cache.disk.up",
        "1 while blocks are kept on disk, 0 once the disk could not be used",
        () -> disk.isUp() ? 1 : 0);
    gauge("penstock.cache.disk.bytes", "Bytes of blocks on disk", disk::bytes);
    gauge("penstock.cache.disk.files", "Blocks on disk", disk::files);
  }

  /** The meters of frozen layers. */
  public ComputeObserver transforms() {
    return transforms;
  }

  /** The meters of batches and epochs. */
  public BatchObserver batches() {
    return batches;
  }

  /**
   * Counts everything once, so that {@link #scrape} shows every meter that there can be. For who
   * writes documents, never for a gateway that serves.
   */
  public void rehearse() {
    register(new RequestKind("GetObject", "GET", 200));
    registerCancelled("GetObject");
    registerRejected("SlowDown");
    Rehearsal.of(UpstreamObserver.class, upstream);
    Rehearsal.of(BatchObserver.class, batches);
    Rehearsal.of(ComputeObserver.class, transforms);
    Rehearsal.of(CacheObserver.class, cache.cache());
    Rehearsal.of(DiskObserver.class, cache.disk());
  }

  /** Sums for the status page. */
  public LiveFigures figures() {
    return new LiveFigures(registry);
  }

  /** The Prometheus text format. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  /** Whatever a client invents as a method counts as one. */
  private static String method(String method) {
    return switch (method) {
      case "GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS" -> method;
      default -> "other";
    };
  }
}
