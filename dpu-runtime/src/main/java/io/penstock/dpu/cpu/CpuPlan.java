package io.penstock.dpu.cpu;

import io.penstock.dpu.platform.CpuSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many threads of which kind, and where they run. A pure function of what the process may use.
 *
 * <p>Cores: the usable processors, but no more than the cgroup's time quota, rounded down: two
 * loops on a quota of 1.5 would both be stopped for the rest of each period. Event loops: one a
 * core, or as configured, never more than cores. Codec threads: the cores that have no loop, or all
 * but one when every core has a loop, since decoding must not starve the loops of every core at
 * once. Housekeeping (health checks, file watching, model loading): 1, from 8 cores on 2.
 *
 * @param cores processors' worth of work to plan for
 * @param loopCpus the processor of each event loop; empty when threads are not pinned
 * @param otherCpus where all other threads belong; not empty
 * @param reason how the figures came about, for people
 */
public record CpuPlan(
    int cores,
    int eventLoops,
    int codecThreads,
    int housekeepingThreads,
    List<Integer> loopCpus,
    CpuSet otherCpus,
    String reason) {

  /** What the configuration asks for. */
  public record Wishes(Optional<Integer> eventLoops, boolean pinThreads) {}

  public CpuPlan {
    loopCpus = List.copyOf(loopCpus);
  }

  /**
   * Makes the plan.
   *
   * @param usable processors the process may be scheduled on
   * @param quota processors' worth of time it may use; empty if not limited
   */
  public static CpuPlan of(CpuSet usable, OptionalDouble quota, Wishes wishes) {
    int cores = cores(usable, quota);
    int loops = Math.clamp(wishes.eventLoops().orElse(cores), 1, cores);
    int codecs = Math.max(1, loops < cores ? cores - loops : cores - 1);
    List<Integer> loopCpus = wishes.pinThreads() ? usable.cpus().subList(0, loops) : List.of();
    List<Integer> rest = usable.cpus().subList(loopCpus.size(), usable.size());
    return new CpuPlan(
        cores,
        loops,
        codecs,
        cores < 8 ? 1 : 2,
        loopCpus,
        rest.isEmpty() ? usable : new CpuSet(rest),
        reason(usable, quota, wishes, cores));
  }

  private static int cores(CpuSet usable, OptionalDouble quota) {
    if (quota.isEmpty()) {
      return usable.size();
    }
    // The small constant keeps 3.0 computed as 2.9999 from counting as 2.
    double whole = Math.floor(quota.getAsDouble() + 1e-6);
    return Math.clamp((long) whole, 1, usable.size());
  }

  private static String reason(CpuSet usable, OptionalDouble quota, Wishes wishes, int cores) {
    StringBuilder reason = new StringBuilder().append(usable.size()).append(" usable processors");
    quota.ifPresent(q -> reason.append(", quota of ").append(q));
    wishes
        .eventLoops()
        .ifPresent(
            wanted -> {
              reason.append(", runtime.event-loops ").append(wanted);
              if (wanted > cores) {
                reason.append(" is more than the cores there are and was lowered");
              }
            });
    return reason.toString();
  }
}
