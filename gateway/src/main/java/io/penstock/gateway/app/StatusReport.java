package io.penstock.gateway.app;

import io.penstock.dpu.DpuRuntime;
import io.penstock.dpu.memory.AreaUsage;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.observe.LiveFigures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/**
 * What the status page shows, as JSON: totals since the start (the page makes rates of them) and
 * levels of the moment. No names of buckets, keys, tenants or endpoints, and no secrets.
 *
 * <p>Threading: any thread.
 */
final class StatusReport {
  /** What a report is made of. */
  record Sources(
      DpuRuntime runtime,
      LiveFigures figures,
      Lifecycle lifecycle,
      ConfigStatus configuration,
      ServedCertificate certificate) {}

  private final Sources sources;
  private final String version;
  private final InstantSource clock;
  private final List<GatewayVerticle> loops;

  StatusReport(Sources sources, String version, InstantSource clock, List<GatewayVerticle> loops) {
    this.sources = sources;
    this.version = version;
    this.clock = clock;
    this.loops = List.copyOf(loops);
  }

  JsonObject toJson() {
    LiveFigures figures = sources.figures();
    DpuRuntime runtime = sources.runtime();
    JsonArray late = new JsonArray();
    loops.forEach(loop -> late.add(loop.lateSeconds()));
    JsonObject json =
        new JsonObject()
            .put("time", clock.millis())
            .put("phase", sources.lifecycle().phase().name().toLowerCase(Locale.ROOT))
            .put("version", version)
            .put("transport", runtime.transport().kind().toString())
            .put("platform", platform())
            .put("uptime", ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0)
            .put("warnings", new JsonArray(runtime.report().warnings()))
            .put("totals", totals(figures))
            .put("first-byte", steps(figures.steps("penstock.request.first.byte")))
            .put("duration", steps(figures.steps("penstock.request.duration")))
            .put("store", steps(figures.steps("penstock.upstream.request.duration")))
            .put("in-flight", figures.sum("penstock.requests.in.flight"))
            .put("connections", figures.sum("penstock.client.connections"))
            .put("store-connections", figures.sum("penstock.upstream.connections"))
            .put("store-idle", figures.sum("penstock.upstream.connections.idle"))
            .put("cache-bytes", figures.sum("penstock.cache.bytes"))
            .put("cache-objects", figures.sum("penstock.cache.objects"))
            .put("batch-streams", figures.sum("penstock.batch.streams"))
            .put("memory", memory(runtime.memory()))
            .put("loops", late)
            .put("configuration", sources.configuration().toJson());
    sources.certificate().ends().ifPresent(end -> json.put("certificate-ends", end.toString()));
    return json;
  }

  private String platform() {
    JsonObject report = sources.runtime().report().toJson();
    JsonObject platform = report.getJsonObject("platform");
    return platform.getString("dpu", platform.getString("arch"))
        + ", "
        + report.getJsonObject("cpu").getInteger("cores")
        + " cores";
  }

  private static JsonObject totals(LiveFigures figures) {
    String tries = "penstock.upstream.request.duration";
    String reads = "penstock.cache.reads";
    return new JsonObject()
        .put("requests", figures.sum("penstock.request.duration"))
        .put("errors", figures.sum("penstock.request.duration", "status", it -> it.startsWith("5")))
        .put("rejected", figures.sum("penstock.requests.rejected"))
        .put("sent", figures.sum("penstock.response.sent"))
        .put("received", figures.sum("penstock.request.received"))
        .put("store-received", figures.sum("penstock.upstream.received.bytes"))
        .put("store-sent", figures.sum("penstock.upstream.sent.bytes"))
        .put("store-tries", figures.sum(tries))
        .put("store-failures", figures.sum(tries, "outcome", StatusReport::failed))
        .put("retries", figures.sum("penstock.upstream.retries"))
        .put("hedges", figures.sum("penstock.upstream.hedges"))
        .put("cache-reads", figures.sum(reads))
        .put("cache-hits", figures.sum(reads, "outcome", List.of("hit", "confirmed")::contains))
        .put("cache-served", figures.sum("penstock.cache.served.bytes"))
        .put("batch-items", figures.sum("penstock.batch.items"))
        .put("batch-failed", figures.sum("penstock.batch.items", "outcome", "failed"::equals))
        .put("batch-bytes", figures.sum("penstock.batch.payload"))
        .put("batch-waits", figures.sum("penstock.batch.memory.waits"));
  }

  /** Outcomes of tries that are neither an answer below 500 nor the client's own leaving. */
  private static boolean failed(String outcome) {
    return outcome.startsWith("5")
        || (!Character.isDigit(outcome.charAt(0)) && !outcome.equals("cancelled"));
  }

  /** Pairs of bound in seconds (null: none) and count. */
  private static JsonArray steps(List<LiveFigures.Step> steps) {
    JsonArray pairs = new JsonArray();
    for (LiveFigures.Step step : steps) {
      JsonArray pair = new JsonArray();
      if (Double.isInfinite(step.seconds())) {
        pair.addNull();
      } else {
        pair.add(step.seconds());
      }
      pairs.add(pair.add(step.count()));
    }
    return pairs;
  }

  private static JsonObject memory(MemoryBudget budget) {
    JsonArray areas = new JsonArray();
    for (MemoryArea area : MemoryArea.values()) {
      AreaUsage usage = budget.usage(area);
      areas.add(
          new JsonObject()
              .put("name", area.name().toLowerCase(Locale.ROOT))
              .put("used", usage.used())
              .put("limit", usage.limit())
              .put("waiting", usage.waiting()));
    }
    return new JsonObject()
        .put("budget", budget.limit())
        .put("used", budget.used())
        .put("areas", areas);
  }
}
