package io.penstock.loadtest.lab.consumer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads over all connections at once and counts what arrives within the window.
 *
 * <p>Threading: blocks its caller; one thread a connection.
 */
public final class ReadRun {
  private static final double NANOS = 1e9;

  private ReadRun() {}

  /**
   * Metrics by name: {@code items_s}, {@code mb_s}, {@code items_cpu_s} (items per CPU second of
   * this process), {@code seconds}, {@code items}.
   *
   * @throws IOException if any connection failed
   */
  public static Map<String, Double> measure(ReadOrder order)
      throws IOException, InterruptedException {
    var items = new LongAdder();
    var bytes = new LongAdder();
    long start = System.nanoTime();
    long end = start + order.warmup().plus(order.window()).toNanos();
    try (var threads = Executors.newFixedThreadPool(order.connections())) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < order.connections(); i++) {
        var reader = new Reader(order, i, items, bytes);
        readers.add(
            threads.submit(
                () -> {
                  reader.readUntil(end);
                  return null;
                }));
      }
      TimeUnit.NANOSECONDS.sleep(order.warmup().toNanos());
      Reading from = Reading.now(items, bytes);
      TimeUnit.NANOSECONDS.sleep(Math.max(0, end - System.nanoTime()));
      Reading to = Reading.now(items, bytes);
      for (Future<?> reader : readers) {
        await(reader);
      }
      if (to.items == from.items) {
        throw new IOException(
            "nothing arrived within %s: is the machine too busy?".formatted(order.window()));
      }
      return metrics(from, to);
    }
  }

  private record Reading(long nanos, long items, long bytes, Duration cpu) {
    static Reading now(LongAdder items, LongAdder bytes) {
      return new Reading(System.nanoTime(), items.sum(), bytes.sum(), Reader.cpu());
    }
  }

  private static Map<String, Double> metrics(Reading from, Reading to) {
    double seconds = (to.nanos - from.nanos) / NANOS;
    double count = to.items - from.items;
    double cpu = to.cpu.minus(from.cpu).toNanos() / NANOS;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("items_s", count / seconds);
    metrics.put("mb_s", (to.bytes - from.bytes) / 1e6 / seconds);
    metrics.put("items_cpu_s", cpu == 0 ? Double.NaN : count / cpu);
    metrics.put("seconds", seconds);
    metrics.put("items", count);
    return metrics;
  }

  private static void await(Future<?> reader) throws IOException, InterruptedException {
    try {
      reader.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException("a connection failed: " + e.getCause(), e);
    }
  }
}
