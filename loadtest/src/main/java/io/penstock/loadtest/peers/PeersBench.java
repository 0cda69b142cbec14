package io.penstock.loadtest.peers;

import io.penstock.loadtest.client.LoadClient;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.plan.ArrivalSchedule;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.sign.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Runs the cases: starts what they need, warms it up, then measures every variant once per round,
 * in an order that turns from round to round.
 *
 * <p>Threading: blocks its caller.
 */
final class PeersBench {
  private static final RequestSigner.Keys KEYS =
      new RequestSigner.Keys("demo", "demo-secret", "us-east-1");
  private static final Duration BRIEF = Duration.ofMillis(500);

  private final Settings settings;
  private final Fleet fleet;
  private final LoadClient client;
  private final Consumer<String> progress;
  private final ProcessCpu cpu = new ProcessCpu(Path.of("/proc"));

  /** {@code settle} is how long a JVM is loaded with a case before it counts. */
  record Settings(int rounds, Duration seconds, Duration warmup, Duration settle) {}

  PeersBench(Settings settings, Fleet fleet, LoadClient client, Consumer<String> progress) {
    this.settings = settings;
    this.fleet = fleet;
    this.client = client;
    this.progress = progress;
  }

  /** Runs one case with the variants that can run here. */
  CaseResult run(BenchCase bench) throws IOException, InterruptedException {
    List<Variant> runnable = new ArrayList<>();
    for (Variant variant : bench.variants()) {
      progress.accept(bench.name() + ": starting " + variant.label());
      if (fleet.start(variant, bench.scenario())) {
        runnable.add(variant);
      }
    }
    for (Variant variant : runnable) {
      progress.accept(bench.name() + ": warming up " + variant.label());
      measure(0, bench.scenario().lasting(Duration.ZERO, settleTime(variant)), variant);
    }
    Scenario scenario = bench.scenario().lasting(settings.warmup(), settings.seconds());
    if (bench.halfLoad()) {
      scenario = atHalfLoad(scenario, runnable);
    }
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    List<Variant> order = new ArrayList<>(runnable);
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Variant variant : order) {
        progress.accept(
            "%s: round %d/%d %s"
                .formatted(bench.name(), round, settings.rounds(), variant.label()));
        samples
            .computeIfAbsent(variant.label(), _ -> new ArrayList<>())
            .add(measure(round, scenario, variant));
      }
      Collections.rotate(order, 1);
    }
    return new CaseResult(bench.only(runnable), samples);
  }

  private Duration settleTime(Variant variant) {
    boolean jvm = variant.script().equals("gateway") || variant.script().equals("s3proxy");
    return jvm ? settings.settle() : BRIEF;
  }

  private Scenario atHalfLoad(Scenario scenario, List<Variant> variants)
      throws InterruptedException {
    double slowest = Double.MAX_VALUE;
    for (Variant variant : variants) {
      progress.accept(scenario.name() + ": how much can " + variant.label() + " do?");
      Sample sample = measure(0, scenario.lasting(BRIEF, Duration.ofSeconds(1)), variant);
      slowest = Math.min(slowest, sample.value(Sample.Metric.REQUESTS_PER_SECOND));
    }
    double rate = Math.max(1, Math.floor(slowest / 2));
    progress.accept(scenario.name() + ": half load is " + rate + " requests/s");
    return scenario.arriving(new Arrivals.Open(new ArrivalSchedule.Poisson(rate, 1)));
  }

  private Sample measure(int round, Scenario scenario, Variant variant)
      throws InterruptedException {
    String scheme = variant.tls() ? "https" : "http";
    URI endpoint = URI.create(scheme + "://127.0.0.1:" + fleet.port(variant));
    var stopwatch =
        new Stopwatch(
            () -> fleet.pid(variant).map(cpu::seconds).orElse(0.0),
            ownCpu(),
            () -> fleet.storeCounters(variant));
    RequestSigner.Keys keys = variant.unsigned() ? RequestSigner.Keys.NONE : KEYS;
    Recording recording = client.run(scenario, new Target(endpoint, keys, false), stopwatch);
    return stopwatch.sample(round, recording);
  }

  /** The client and the store are this process. */
  private DoubleSupplier ownCpu() {
    long self = ProcessHandle.current().pid();
    // without the proxies, which are children of this process
    return () -> cpu.ownSeconds(self);
  }
}
