package io.penstock.gateway.app;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.batch.RunCount;
import io.penstock.gateway.exchange.AdmitStage;
import io.penstock.gateway.observe.Meters;
import io.penstock.gateway.read.cache.ReadCache;
import io.penstock.gateway.transform.Transforms;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is read at each scrape from objects that know it anyway.
 *
 * <p>Threading: at the start; what is read must be safe from every thread.
 */
final class Gauges {
  private final Meters meters;

  Gauges(Meters meters) {
    this.meters = meters;
  }

  void requests(AdmitStage admit, RunCount streams) {
    meters.gauge("penstock.requests.in.flight", "Requests being served", admit::inFlight);
    meters.gauge("penstock.batch.streams", "Batch and epoch streams being served", streams::total);
  }

  void transforms(Optional<Transforms> transforms) {
    meters.gauge(
        "penstock.transform.streams",
        "Streams that apply frozen layers",
        () -> transforms.map(Transforms::streams).orElse(0));
  }

  void cache(ReadCache cache) {
    meters.gauge("penstock.cache.bytes", "Bytes of blocks in memory", cache::bytes);
    meters.gauge("penstock.cache.objects", "Objects whose heads are kept", cache::objects);
    cache.disk().ifPresent(meters::gauges);
  }

  void memory(MemoryBudget budget) {
    meters.gauge(
        "penstock.memory.budget.bytes", "Limit on off-heap bytes of the process", budget::limit);
    for (MemoryArea area : MemoryArea.values()) {
      String name = area.name().toLowerCase(Locale.ROOT);
      meters.gauge(
          "penstock.memory.reserved.bytes",
          "Bytes reserved from the budget",
          () -> budget.usage(area).used(),
          "area",
          name);
      meters.gauge(
          "penstock.memory.waiting",
          "Claims waiting for the budget",
          () -> budget.usage(area).waiting(),
          "area",
          name);
    }
  }

  void configuration(ConfigStatus status, ServedCertificate certificate) {
    meters.gauge(
        "penstock.config.current",
        "1 while what the configuration files hold is in force, 0 while they hold something else",
        () -> status.isCurrent() ? 1 : 0);
    String changes =
        "Changes of the configuration files: applied, or rejected (mistakes, or a restart needed)";
    meters.count("penstock.config.changes", changes, status::applied, "outcome", "applied");
    meters.count("penstock.config.changes", changes, status::rejected, "outcome", "rejected");
    meters.gauge(
        "penstock.tls.certificate.expiry.seconds",
        "When the certificate that clients are shown ends, in seconds since 1970; NaN without TLS",
        () -> certificate.ends().map(it -> (double) it.getEpochSecond()).orElse(Double.NaN));
  }

  void loops(List<GatewayVerticle> loops) {
    meters.gauge(
        "penstock.client.connections",
        "Open client connections",
        () -> loops.stream().mapToInt(GatewayVerticle::openConnections).sum());
    for (int i = 0; i < loops.size(); i++) {
      meters.gauge(
          "penstock.event.loop.lag.seconds",
          "How late the event loop came to its turn at worst in the last seconds",
          loops.get(i)::lateSeconds,
          "loop",
          Integer.toString(i));
    }
  }
}
