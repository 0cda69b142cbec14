package io.penstock.loadtest.peers;

import io.penstock.loadtest.client.LoadClient;
import io.penstock.loadtest.record.Counters;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.store.StoreCounters;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Reads CPU time and counters at the same two moments, the edges of a run's window.
 *
 * <p>Threading: the runner's thread.
 */
final class Stopwatch implements LoadClient.Watcher {
  private final DoubleSupplier proxyCpu;
  private final DoubleSupplier loadCpu;
  private final Supplier<StoreCounters.Snapshot> store;
  private Reading start = new Reading(0, 0, 0, Counters.NONE, StoreCounters.Snapshot.NONE);
  private Reading end = start;

  private record Reading(
      long nanos, double proxy, double load, Counters counters, StoreCounters.Snapshot store) {}

  Stopwatch(
      DoubleSupplier proxyCpu, DoubleSupplier loadCpu, Supplier<StoreCounters.Snapshot> store) {
    this.proxyCpu = proxyCpu;
    this.loadCpu = loadCpu;
    this.store = store;
  }

  @Override
  public void opened(Counters before) {
    start = read(before);
  }

  @Override
  public void closed(Counters after) {
    end = read(after);
  }

  private Reading read(Counters counters) {
    return new Reading(
        System.nanoTime(), proxyCpu.getAsDouble(), loadCpu.getAsDouble(), counters, store.get());
  }

  Sample sample(int round, Recording recording) {
    return new Sample(
        round,
        (end.nanos - start.nanos) / 1e9,
        end.proxy - start.proxy,
        end.load - start.load,
        end.counters.minus(start.counters),
        end.store.minus(start.store),
        recording);
  }
}
