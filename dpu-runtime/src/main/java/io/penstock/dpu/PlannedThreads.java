package io.penstock.dpu;

import io.penstock.dpu.cpu.CpuPlan;
import io.penstock.dpu.cpu.Pinning;
import io.penstock.dpu.cpu.ThreadPinner;
import io.penstock.dpu.platform.CpuSet;
import io.vertx.core.impl.VertxThread;
import io.vertx.core.spi.VertxThreadFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vert.x's threads under short names ({@code event-loop-0}, {@code acceptor-0}, {@code worker-0},
 * {@code blocking-0}), each pinned where the plan has it. The others are pinned too when the loops
 * are: a thread starts on the processors of the one that started it, which may be a loop.
 *
 * <p>Threading: any thread.
 */
final class PlannedThreads implements VertxThreadFactory {
  private static final Logger LOG = LoggerFactory.getLogger(PlannedThreads.class);
  private static final String LOOP = "vert.x-eventloop-thread-";

  private final CpuPlan plan;
  private final ThreadPinner pinner;

  PlannedThreads(CpuPlan plan, ThreadPinner pinner) {
    this.plan = plan;
    this.pinner = pinner;
  }

  @Override
  public VertxThread newVertxThread(
      Runnable target, String name, boolean worker, long maxExecTime, TimeUnit unit) {
    Runnable body = plan.loopCpus().isEmpty() ? target : pinned(target, cpusOf(name));
    return VertxThreadFactory.super.newVertxThread(
        body, shortName(name), worker, maxExecTime, unit);
  }

  private Runnable pinned(Runnable target, CpuSet cpus) {
    return () -> {
      if (pinner.pin(cpus) instanceof Pinning.Refused refused) {
        LOG.warn("{} is not pinned: {}", Thread.currentThread().getName(), refused.reason());
      }
      target.run();
    };
  }

  private CpuSet cpusOf(String name) {
    if (!name.startsWith(LOOP)) {
      return plan.otherCpus();
    }
    int index = Integer.parseInt(name.substring(LOOP.length()));
    // A loop that had to be replaced gets a higher number and its predecessor's kind of place.
    return new CpuSet(List.of(plan.loopCpus().get(index % plan.loopCpus().size())));
  }

  static String shortName(String name) {
    return name.replace(LOOP, "event-loop-")
        .replace("vert.x-acceptor-thread-", "acceptor-")
        .replace("vert.x-worker-thread-", "worker-")
        .replace("vert.x-internal-blocking-", "blocking-");
  }
}
