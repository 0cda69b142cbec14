package io.penstock.gateway.read.cache.disk;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few threads that may wait for the disk, and a bounded queue before them.
 *
 * <p>Threading: any thread.
 */
final class DiskThreads {
  private final ThreadPoolExecutor threads;

  DiskThreads(String name, int count, int queue) {
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queue),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory(),
            new ThreadPoolExecutor.AbortPolicy());
  }

  /** False if too much is waiting. */
  boolean execute(Runnable task) {
    // a rejection costs a stack trace, and a full queue is no rare thing
    if (threads.getQueue().remainingCapacity() == 0) {
      return false;
    }
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  /** Takes nothing more; what waits is still done. */
  void close() {
    threads.shutdown();
  }

  /** Whether all was done within that time. */
  boolean await(long seconds) throws InterruptedException {
    return threads.awaitTermination(seconds, TimeUnit.SECONDS);
  }

  /** Runs here what is still waiting. */
  void flush() {
    threads.shutdownNow().forEach(Runnable::run);
  }
}
