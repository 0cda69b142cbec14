package io.penstock.dpu;

import io.penstock.dpu.cpu.CpuPlan;
import io.penstock.dpu.memory.AreaUsage;
import io.penstock.dpu.memory.BudgetPlan;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.platform.CgroupLimits;
import io.penstock.dpu.platform.Platform;
import io.penstock.dpu.transport.NettyMemory;
import io.penstock.dpu.transport.TransportChoice;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was found and what was chosen, as one line for the log and as JSON for {@code GET /runtime}.
 * The findings are those of the start; memory use and uptime are those of the moment. Sizes in JSON
 * are bytes, times seconds. Holds no secrets.
 *
 * <p>Threading: any thread.
 */
public final class RuntimeReport {
  private static final long MIB = 1 << 20;

  /** What the machine is and allows. */
  public record Found(JvmFacts jvm, Platform platform, CgroupLimits cgroup) {}

  /** What was made of it. */
  public record Chosen(
      CpuPlan cpu, TransportChoice transport, BudgetPlan budget, Map<String, String> netty) {
    public Chosen {
      netty = Map.copyOf(netty);
    }
  }

  private final Found found;
  private final Chosen chosen;
  private final List<String> warnings;
  private final MemoryBudget budget;
  private final InstantSource clock;

  /**
   * A report on a running process.
   *
   * @param warnings of the start, beyond those of the JVM and of the budget's plan
   * @param budget whose use is reported
   */
  RuntimeReport(
      Found found, Chosen chosen, List<String> warnings, MemoryBudget budget, InstantSource clock) {
    this.found = found;
    this.chosen = chosen;
    this.budget = budget;
    this.clock = clock;
    this.warnings = new ArrayList<>(found.jvm().warnings());
    this.warnings.addAll(chosen.budget().warnings());
    this.warnings.addAll(warnings);
  }

  /** What an operator should change, in full sentences; empty if all is well. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** {@code key=value} pairs, values with spaces in quotes. */
  public String toLogLine() {
    Platform platform = found.platform();
    CpuPlan cpu = chosen.cpu();
    return String.format(
        Locale.ROOT,
        "runtime transport=%s transport-reason=\"%s\" loops=%d codecs=%d cores=%d pinned=%s"
            + " memory-budget=%dMiB heap=%dMiB direct=%dMiB machine-memory=%dMiB cgroup=%s"
            + " arch=%s bluefield=%s kernel=%s java=%s pid=%d warnings=%d",
        chosen.transport().kind(),
        chosen.transport().reason(),
        cpu.eventLoops(),
        cpu.codecThreads(),
        cpu.cores(),
        cpu.loopCpus().isEmpty() ? "no" : cpu.loopCpus().toString().replace(" ", ""),
        budget.limit() / MIB,
        found.jvm().heapLimit() / MIB,
        found.jvm().directLimit() / MIB,
        platform.memory() / MIB,
        cgroupLabel(),
        platform.arch(),
        platform.blueField().map(Object::toString).orElse("no"),
        platform.kernel(),
        found.jvm().version(),
        found.jvm().pid(),
        warnings.size());
  }

  private String cgroupLabel() {
    return found.cgroup().version().toString().toLowerCase(Locale.ROOT);
  }

  /** The whole report. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("process", process())
        .put("platform", platform())
        .put("cgroup", cgroup())
        .put("cpu", cpu())
        .put("transport", transport())
        .put("memory", memory())
        .put("warnings", new JsonArray(warnings()));
  }

  private JsonObject process() {
    JvmFacts jvm = found.jvm();
    return new JsonObject()
        .put("pid", jvm.pid())
        .put("java", jvm.version())
        .put("started", jvm.started().toString())
        .put("uptime", Duration.between(jvm.started(), clock.instant()).toMillis() / 1000.0);
  }

  private JsonObject platform() {
    Platform platform = found.platform();
    JsonObject json =
        new JsonObject()
            .put("arch", platform.arch())
            .put("kernel", platform.kernel())
            .put("model", platform.model())
            .put("cpu-model", platform.cpuModel())
            .put("cpus-online", platform.online().size())
            .put("memory", platform.memory())
            .put("bluefield", platform.blueField().isPresent());
    platform.blueField().ifPresent(generation -> json.put("dpu", generation.toString()));
    platform.release().ifPresent(release -> json.put("dpu-release", release));
    return json;
  }

  private JsonObject cgroup() {
    CgroupLimits limits = found.cgroup();
    JsonObject json = new JsonObject().put("version", cgroupLabel());
    limits.cpuQuota().ifPresent(quota -> json.put("cpu-quota", quota));
    limits.cpuset().ifPresent(cpus -> json.put("cpuset", cpus.toString()));
    limits.memory().ifPresent(bytes -> json.put("memory", bytes));
    return json;
  }

  private JsonObject cpu() {
    CpuPlan cpu = chosen.cpu();
    return new JsonObject()
        .put("cores", cpu.cores())
        .put("event-loops", cpu.eventLoops())
        .put("codec-threads", cpu.codecThreads())
        .put("housekeeping-threads", cpu.housekeepingThreads())
        .put("pinned", new JsonArray(cpu.loopCpus()))
        .put("reason", cpu.reason());
  }

  private JsonObject transport() {
    TransportChoice transport = chosen.transport();
    JsonObject refused = new JsonObject();
    transport.refused().forEach((kind, cause) -> refused.put(kind.toString(), cause));
    JsonObject netty = new JsonObject();
    chosen.netty().forEach(netty::put);
    return new JsonObject()
        .put("kind", transport.kind().toString())
        .put("reason", transport.reason())
        .put("refused", refused)
        .put("receive-bytes", transport.kind().receiveBytes())
        .put("netty", netty);
  }

  private JsonObject memory() {
    JsonObject areas = new JsonObject();
    for (MemoryArea area : MemoryArea.values()) {
      AreaUsage usage = budget.usage(area);
      areas.put(
          area.name().toLowerCase(Locale.ROOT),
          new JsonObject()
              .put("used", usage.used())
              .put("limit", usage.limit())
              .put("peak", usage.peak())
              .put("waiting", usage.waiting()));
    }
    return new JsonObject()
        .put("budget", budget.limit())
        .put("used", budget.used())
        .put("reason", chosen.budget().reason())
        .put("heap-limit", found.jvm().heapLimit())
        .put("direct-limit", found.jvm().directLimit())
        .put("direct-used", NettyMemory.used())
        .put("areas", areas);
  }
}
