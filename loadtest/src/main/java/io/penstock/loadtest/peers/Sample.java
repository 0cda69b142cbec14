package io.penstock.loadtest.peers;

import io.penstock.loadtest.record.Counters;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.store.StoreCounters;

/**
 * One measurement of one variant in one round. {@code cpuSeconds} is the proxy's, {@code
 * loadCpuSeconds} that of the client and the store together; {@code counters} and {@code store} are
 * of the same window.
 */
record Sample(
    int round,
    double seconds,
    double cpuSeconds,
    double loadCpuSeconds,
    Counters counters,
    StoreCounters.Snapshot store,
    Recording recording) {

  double value(Metric metric) {
    return switch (metric) {
      case CPU_MS_PER_GB -> cpuSeconds * 1e3 / (counters.bytes() / 1e9);
      case REQUESTS_PER_CPU_SECOND ->
          cpuSeconds == 0 ? Double.NaN : counters.completed() / cpuSeconds;
      case MB_PER_SECOND -> counters.bytes() / 1e6 / seconds;
      case REQUESTS_PER_SECOND -> counters.completed() / seconds;
      case PROXY_CORE -> cpuSeconds / seconds;
      case LOAD_CORE -> loadCpuSeconds / seconds;
      case P50_MS -> recording.latency().getValueAtPercentile(50) / 1e6;
      case P99_MS -> recording.latency().getValueAtPercentile(99) / 1e6;
      case P999_MS -> recording.latency().getValueAtPercentile(99.9) / 1e6;
      case STORE_REQUESTS -> store.requests() / (double) Math.max(1, counters.completed());
    };
  }

  /** What can be compared. */
  enum Metric {
    CPU_MS_PER_GB("CPU ms/GB", false),
    REQUESTS_PER_CPU_SECOND("requests/CPU-s", true),
    MB_PER_SECOND("MB/s", true),
    REQUESTS_PER_SECOND("requests/s", true),
    PROXY_CORE("proxy core", false),
    LOAD_CORE("load core", false),
    P50_MS("p50 ms", false),
    P99_MS("p99 ms", false),
    P999_MS("p99.9 ms", false),
    STORE_REQUESTS("store requests/request", false);

    private final String title;
    private final boolean higherIsBetter;

    Metric(String title, boolean higherIsBetter) {
      this.title = title;
      this.higherIsBetter = higherIsBetter;
    }

    String title() {
      return title;
    }

    boolean higherIsBetter() {
      return higherIsBetter;
    }

    /** Whether it says anything about a run without a proxy. */
    boolean needsProxy() {
      return this == CPU_MS_PER_GB || this == REQUESTS_PER_CPU_SECOND || this == PROXY_CORE;
    }
  }
}
