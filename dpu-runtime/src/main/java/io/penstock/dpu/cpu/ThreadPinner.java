package io.penstock.dpu.cpu;

import io.penstock.dpu.platform.CpuSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Keeps threads on processors. Never fails: a kernel or container that does not agree leaves the
 * thread where it was and says so in the result.
 *
 * <p>Threading: any platform thread; a virtual thread would pin its carrier.
 */
public final class ThreadPinner {

  /** Pins the calling thread, and with it the threads it starts from now on. */
  public Pinning pin(CpuSet cpus) {
    if (Thread.currentThread().isVirtual()) {
      return new Pinning.Refused("a virtual thread has no processor of its own");
    }
    return SchedAffinity.set(cpus);
  }

  /** Finds out whether pinning to {@code cpus} would work, on a thread that ends at once. */
  public Pinning trial(CpuSet cpus) {
    FutureTask<Pinning> task = new FutureTask<>(() -> pin(cpus));
    Thread.ofPlatform().name("pinning-trial").daemon().start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      return new Pinning.Refused(String.valueOf(e.getCause()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Pinning.Refused("interrupted");
    }
  }
}
