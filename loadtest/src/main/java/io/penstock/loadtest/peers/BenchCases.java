package io.penstock.loadtest.peers;

import io.penstock.loadtest.peers.Sample.Metric;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.plan.Scenario.Connections;
import io.penstock.loadtest.plan.Scenario.Objects;
import io.penstock.loadtest.plan.Scenario.Payload;
import io.penstock.loadtest.plan.Scenario.Timing;
import io.penstock.loadtest.plan.Weighted;
import io.penstock.loadtest.store.Knobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The catalogue of comparisons. Each answers one question about the gateway; the last ones, in
 * {@link ReadCases}, put it before a store that is slow in a known way.
 *
 * <p>Threading: any.
 */
final class BenchCases {
  private static final Variant NGINX = Variant.proxy("nginx");
  private static final Variant HAPROXY = Variant.proxy("haproxy");

  /** Without its cache: what passing through costs. */
  static final Variant GATEWAY = Variant.proxy("gateway").in("uncached").with("gateway", "");

  /** Neither checks a signature nor makes one: what both cost is the difference. */
  private static final Variant UNSIGNED = Variant.proxy("gateway").in("unsigned");

  private static final Variant CACHED = Variant.proxy("gateway").in("cached");
  private static final Variant S3PROXY = Variant.proxy("s3proxy");

  private BenchCases() {}

  /** All of them, in the order of the table. */
  static List<BenchCase> all() {
    List<BenchCase> cases = new ArrayList<>();
    cases.add(plain("get-4k", "4KiB", 64, 1000, Metric.REQUESTS_PER_CPU_SECOND));
    cases.add(plain("get-100k", "100KiB", 32, 256, Metric.CPU_MS_PER_GB));
    cases.add(plain("get-1m", "1MiB", 16, 64, Metric.CPU_MS_PER_GB));
    cases.add(plain("get-64m", "64MiB", 8, 8, Metric.CPU_MS_PER_GB));
    cases.add(tls("tls-4k", "4KiB", 64, 1000, Metric.REQUESTS_PER_CPU_SECOND));
    cases.add(tls("tls-100k", "100KiB", 32, 256, Metric.CPU_MS_PER_GB));
    cases.add(tls("tls-1m", "1MiB", 16, 64, Metric.CPU_MS_PER_GB));
    cases.add(tls("tls-64m", "64MiB", 8, 8, Metric.CPU_MS_PER_GB));
    cases.add(put("put-1m", "1MiB", 16));
    cases.add(put("put-64m", "64MiB", 8));
    cases.add(latency());
    cases.add(cache("cache-100k", "100KiB", 32, 256));
    cases.add(cache("cache-1m", "1MiB", 16, 64));
    cases.addAll(ReadCases.all());
    return List.copyOf(cases);
  }

  private static BenchCase plain(
      String name, String size, int connections, int count, Metric decides) {
    return new BenchCase(
        name,
        "What does proxying GETs of "
            + size
            + " cost, plaintext, signatures checked and made anew?",
        scenario(name, Operation.GET, size, count, connections),
        List.of(Variant.direct(Knobs.FAST), NGINX, HAPROXY, GATEWAY, UNSIGNED, S3PROXY),
        "nginx",
        decides,
        false);
  }

  private static BenchCase tls(
      String name, String size, int connections, int count, Metric decides) {
    return new BenchCase(
        name,
        "The same for " + size + " with TLS 1.3 to the client",
        scenario(name, Operation.GET, size, count, connections),
        List.of(NGINX.overTls(), HAPROXY.overTls(), GATEWAY.overTls()),
        "nginx",
        decides,
        false);
  }

  private static BenchCase put(String name, String size, int connections) {
    return new BenchCase(
        name,
        "What does an upload of " + size + " cost, in signed chunks with a checksum trailer?",
        scenario(name, Operation.PUT, size, 4, connections),
        List.of(Variant.direct(Knobs.FAST), NGINX.in("put"), HAPROXY, GATEWAY),
        "nginx put",
        Metric.CPU_MS_PER_GB,
        false);
  }

  private static BenchCase latency() {
    return new BenchCase(
        "latency-100k",
        "How much latency is added at half load, GETs of 100 KiB?",
        scenario("latency-100k", Operation.GET, "100KiB", 256, 64),
        List.of(Variant.direct(Knobs.FAST), NGINX, HAPROXY, GATEWAY),
        Variant.DIRECT,
        Metric.P50_MS,
        true);
  }

  private static BenchCase cache(String name, String size, int connections, int count) {
    return new BenchCase(
        name,
        "What does a cache hit of "
            + size
            + " cost, against nginx sending the same bytes from files?",
        scenario(name, Operation.GET, size, count, connections),
        List.of(NGINX.in("sendfile"), NGINX.in("cache"), NGINX, GATEWAY, CACHED),
        "nginx sendfile",
        Metric.CPU_MS_PER_GB,
        false);
  }

  static Scenario scenario(
      String name, Operation operation, String size, int count, int connections) {
    var objects =
        new Objects(
            "bench",
            Weighted.only(Quantity.bytes(size)),
            count,
            0,
            Quantity.bytes("128KiB"),
            Payload.CHUNKS_TRAILER);
    var timing = new Timing(Duration.ofMillis(400), Duration.ofSeconds(2), Duration.ofSeconds(30));
    return new Scenario(
        name,
        "",
        Weighted.only(operation),
        objects,
        new Arrivals.Closed(),
        new Connections(connections, Connections.Http.HTTP_1, 1, 1),
        timing,
        1);
  }
}
