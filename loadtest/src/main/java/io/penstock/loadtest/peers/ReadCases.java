package io.penstock.loadtest.peers;

import io.penstock.loadtest.peers.Sample.Metric;
import io.penstock.loadtest.plan.ArrivalSchedule;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.store.Knobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The comparisons in which the gateway reads otherwise than it was asked to: several connections
 * for one object, second tries, reading ahead. Each has the gateway with all of that off beside it.
 *
 * <p>Threading: any.
 */
final class ReadCases {
  private static final Variant NGINX = Variant.proxy("nginx");
  private static final Variant GATEWAY = BenchCases.GATEWAY;
  private static final Variant READING_AHEAD = Variant.proxy("gateway");

  /** One connection for each request, one try unless it fails. */
  private static final Variant PLAIN = GATEWAY.in("plain");

  private static final Knobs FAR = new Knobs(Duration.ofMillis(20), 0, 0, Duration.ZERO, 1);
  private static final Knobs FAR_AND_NARROW =
      new Knobs(Duration.ofMillis(20), 50_000_000, 0, Duration.ZERO, 1);
  private static final Knobs STALLING =
      new Knobs(Duration.ofMillis(2), 0, 0.01, Duration.ofSeconds(1), 1);

  private ReadCases() {}

  static List<BenchCase> all() {
    return List.of(bigObject(), bigObjectFast(), ranges(), stalls());
  }

  private static BenchCase bigObject() {
    return new BenchCase(
        "big-object",
        "One 1 GiB object from a store with 20 ms and 50 MB/s a connection",
        BenchCases.scenario("big-object", Operation.GET, "1GiB", 4, 1),
        before(FAR_AND_NARROW, PLAIN, GATEWAY),
        Variant.DIRECT,
        Metric.MB_PER_SECOND,
        false);
  }

  private static BenchCase bigObjectFast() {
    return new BenchCase(
        "big-object-fast",
        "The same object from a store without limits: not slower than over one connection",
        BenchCases.scenario("big-object-fast", Operation.GET, "1GiB", 4, 1),
        before(Knobs.FAST, NGINX, PLAIN, GATEWAY),
        PLAIN.label(),
        Metric.MB_PER_SECOND,
        false);
  }

  private static BenchCase ranges() {
    return new BenchCase(
        "ranges-128k",
        "Sequential 128 KiB reads of a large object from a store with 20 ms",
        BenchCases.scenario("ranges-128k", Operation.RANGED, "256MiB", 4, 1),
        before(FAR, PLAIN, READING_AHEAD),
        Variant.DIRECT,
        Metric.MB_PER_SECOND,
        false);
  }

  private static BenchCase stalls() {
    Scenario scenario =
        BenchCases.scenario("stalls", Operation.GET, "100KiB", 256, 256)
            .arriving(new Arrivals.Open(new ArrivalSchedule.Poisson(500, 1)));
    return new BenchCase(
        "stalls",
        "One request in a hundred stalls for 1 s: what becomes of p99.9, and of the store's load?",
        scenario,
        before(STALLING, PLAIN, GATEWAY),
        Variant.DIRECT,
        Metric.P999_MS,
        false);
  }

  private static List<Variant> before(Knobs store, Variant... proxies) {
    List<Variant> variants = new ArrayList<>(List.of(Variant.direct(store)));
    for (Variant proxy : proxies) {
      variants.add(proxy.before(store));
    }
    return variants;
  }
}
