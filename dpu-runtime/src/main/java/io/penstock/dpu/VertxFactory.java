package io.penstock.dpu;

import io.penstock.dpu.cpu.CpuPlan;
import io.penstock.dpu.cpu.ThreadPinner;
import io.penstock.dpu.transport.TransportChoice;
import io.penstock.dpu.transport.TunedTransport;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;

/**
 * Builds the process's Vert.x: the chosen transport with large reads, one event loop a planned
 * core, threads with short names, pinned if the plan says so, and the blocked-thread checker on.
 *
 * <p>Through the bootstrap rather than the public builder, because only that takes a thread factory
 * and a transport of our own. Vert.x quietly falls back to nio when a transport is not available;
 * here that is an error, since the choice was proven before. Nothing is ever written below the
 * temporary folder (a container's root may be read-only). Netty's settings are {@link
 * io.penstock.dpu.transport.NettySettings}; Vert.x allocates from the pool they select.
 *
 * <p>Threading: immutable.
 */
public final class VertxFactory {
  private static final long CHECK_INTERVAL_SECONDS = 1;
  private static final long LOOP_MAX_SECONDS = 2;
  private static final long STACK_TRACE_AFTER_SECONDS = 5;
  // name resolution without the asynchronous resolver, file reads: short and rare
  private static final int BLOCKING_THREADS = 4;

  private final CpuPlan plan;
  private final TransportChoice transport;
  private final ThreadPinner pinner;

  public VertxFactory(CpuPlan plan, TransportChoice transport, ThreadPinner pinner) {
    this.plan = plan;
    this.transport = transport;
    this.pinner = pinner;
  }

  /** A new Vert.x; the caller closes it. */
  public Vertx create() {
    TunedTransport tuned = TunedTransport.of(transport);
    Vertx vertx =
        VertxBootstrap.create()
            .options(options())
            .transport(tuned)
            .threadFactory(new PlannedThreads(plan, pinner))
            .init()
            .vertx();
    if (((VertxInternal) vertx).transport() != tuned) {
      vertx.close();
      throw new IllegalStateException(
          "Vert.x did not take the transport " + transport.kind() + " that was proven to work");
    }
    return vertx;
  }

  private VertxOptions options() {
    return new VertxOptions()
        .setEventLoopPoolSize(plan.eventLoops())
        .setWorkerPoolSize(plan.housekeepingThreads())
        .setInternalBlockingPoolSize(BLOCKING_THREADS)
        .setBlockedThreadCheckInterval(CHECK_INTERVAL_SECONDS)
        .setBlockedThreadCheckIntervalUnit(TimeUnit.SECONDS)
        .setMaxEventLoopExecuteTime(LOOP_MAX_SECONDS)
        .setMaxEventLoopExecuteTimeUnit(TimeUnit.SECONDS)
        .setWarningExceptionTime(STACK_TRACE_AFTER_SECONDS)
        .setWarningExceptionTimeUnit(TimeUnit.SECONDS)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setClassPathResolvingEnabled(false)
                .setFileCachingEnabled(false));
  }
}
