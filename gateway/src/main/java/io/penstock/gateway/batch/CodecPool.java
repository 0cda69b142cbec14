package io.penstock.gateway.batch;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that decode, compress and parse: one for each core that the plan of cores gives them,
 * so that event loops never do. Tasks run in the order they came; every stream has at most as many
 * in the queue as it has items in flight.
 *
 * <p>Threading: safe from every thread.
 */
public final class CodecPool implements Executor, AutoCloseable {
  private final ThreadPoolExecutor threads;

  /** Starts the threads at once: a later one would be bound to the core of the loop that asked. */
  public CodecPool(int size) {
    threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("codec-", 0).daemon().factory());
    threads.prestartAllCoreThreads();
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /** Takes no more tasks; those that wait are still done, since they give memory back. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
