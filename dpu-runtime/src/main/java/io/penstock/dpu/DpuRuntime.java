package io.penstock.dpu;

import io.penstock.config.ByteSize;
import io.penstock.config.RuntimeConfig;
import io.penstock.dpu.cpu.CpuPlan;
import io.penstock.dpu.cpu.Pinning;
import io.penstock.dpu.cpu.ThreadPinner;
import io.penstock.dpu.memory.BudgetPlan;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryObserver;
import io.penstock.dpu.memory.MemorySplit;
import io.penstock.dpu.platform.CgroupLimits;
import io.penstock.dpu.platform.CgroupProbe;
import io.penstock.dpu.platform.CpuSet;
import io.penstock.dpu.platform.Platform;
import io.penstock.dpu.platform.PlatformProbe;
import io.penstock.dpu.transport.LoopbackProof;
import io.penstock.dpu.transport.NettyMemory;
import io.penstock.dpu.transport.NettySettings;
import io.penstock.dpu.transport.TransportChoice;
import io.penstock.dpu.transport.TransportSelector;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything that depends on where the process runs, started in the order in which one part needs
 * the other: the machine, the cores, Netty's settings, the transport, the memory, Vert.x.
 *
 * <p>Threading: {@link #start} blocks for the proof of the transport (tens of milliseconds, at most
 * a few seconds); the parts are for any thread.
 */
public record DpuRuntime(
    Vertx vertx,
    MemoryBudget memory,
    CpuPlan cpu,
    TransportChoice transport,
    RuntimeReport report) {
  private static final long PROOF_TIMEOUT_MILLIS = 3_000;

  /**
   * Starts the runtime; the caller closes its Vert.x.
   *
   * @throws io.penstock.dpu.transport.TransportUnavailableException if the configured transport
   *     does not work here
   * @throws IllegalArgumentException if the configured memory budget is more than the JVM may take
   */
  public static DpuRuntime start(RuntimeConfig config, MemoryObserver observer) {
    List<String> warnings = new ArrayList<>();
    PlatformProbe probe = PlatformProbe.here();
    Platform platform = probe.read();
    CgroupLimits cgroup = new CgroupProbe(Path.of("/")).read();
    ThreadPinner pinner = new ThreadPinner();
    CpuPlan cpu = plan(config, usable(platform, cgroup, probe.affinity()), cgroup);
    if (!cpu.loopCpus().isEmpty()
        && pinner.trial(new CpuSet(cpu.loopCpus())) instanceof Pinning.Refused refused) {
      warnings.add("runtime.pin-threads has no effect: " + refused.reason());
    }

    NettySettings netty = new NettySettings(cpu.eventLoops());
    netty.apply(System.getProperties());
    TransportChoice transport =
        new TransportSelector(new LoopbackProof(cpu.eventLoops(), PROOF_TIMEOUT_MILLIS))
            .select(config.transport());

    if (!NettyMemory.isPooled()) {
      warnings.add("Netty's buffers are not pooled: it was loaded or set up before the runtime");
    }
    JvmFacts jvm = JvmFacts.here();
    BudgetPlan budget = BudgetPlan.derive(basis(config, jvm, platform, cgroup));
    MemoryBudget memory =
        new MemoryBudget(MemorySplit.of(budget.total()), observer, System::nanoTime);
    Map<String, String> settings = netty.inForce(System.getProperties());
    RuntimeReport report =
        new RuntimeReport(
            new RuntimeReport.Found(jvm, platform, cgroup),
            new RuntimeReport.Chosen(cpu, transport, budget, settings),
            warnings,
            memory,
            InstantSource.system());
    return new DpuRuntime(
        new VertxFactory(cpu, transport, pinner).create(), memory, cpu, transport, report);
  }

  private static CpuSet usable(Platform platform, CgroupLimits cgroup, Optional<CpuSet> affinity) {
    CpuSet usable = platform.online();
    usable = cgroup.cpuset().map(usable::within).orElse(usable);
    return affinity.map(usable::within).orElse(usable);
  }

  private static CpuPlan plan(RuntimeConfig config, CpuSet usable, CgroupLimits cgroup) {
    return CpuPlan.of(
        usable, cgroup.cpuQuota(), new CpuPlan.Wishes(config.eventLoops(), config.pinThreads()));
  }

  private static BudgetPlan.Basis basis(
      RuntimeConfig config, JvmFacts jvm, Platform platform, CgroupLimits cgroup) {
    long machine = platform.memory();
    if (cgroup.memory().isPresent()) {
      long limit = cgroup.memory().getAsLong();
      machine = machine == 0 ? limit : Math.min(machine, limit);
    }
    OptionalLong configured =
        config
            .memoryBudget()
            .map(ByteSize::bytes)
            .map(OptionalLong::of)
            .orElse(OptionalLong.empty());
    return new BudgetPlan.Basis(configured, jvm.directLimit(), jvm.heapLimit(), machine);
  }
}
