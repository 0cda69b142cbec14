package io.penstock.loadtest.record;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The outcome of one run inside its window. Histograms are in nanoseconds: {@code latency} and
 * {@code firstByte} from the intended send time, {@code service} from the moment the request was
 * really sent (what a closed-loop tool would have shown).
 */
public record Recording(
    double seconds,
    Counters totals,
    Map<ErrorKind, Long> errors,
    Histogram latency,
    Histogram firstByte,
    Histogram service,
    List<Interval> series) {

  /** One slice of the run; the percentiles are in nanoseconds, 0 when nothing completed. */
  public record Interval(
      double at, double seconds, Counters counters, long p50, long p99, long max) {}

  /** Whether anything went wrong; such a run proves nothing. */
  public boolean failed() {
    return !errors.isEmpty();
  }

  public double requestsPerSecond() {
    return totals.completed() / seconds;
  }

  public double bytesPerSecond() {
    return totals.bytes() / seconds;
  }
}
