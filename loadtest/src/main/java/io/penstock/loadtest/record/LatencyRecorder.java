package io.penstock.loadtest.record;

import io.penstock.loadtest.record.Recording.Interval;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Counts one thread's requests. A request belongs to the window when it was <em>intended</em>
 * inside it; its latency runs from that intended time, so a stall of the server is charged to every
 * request that should have been sent during it, not only to the ones that were. Bytes count when
 * they arrive.
 *
 * <p>Threading: one thread records; {@link #counters} may be read by others and is at most a moment
 * old.
 */
public final class LatencyRecorder {
  private static final int DIGITS = 3;
  private static final int SERIES_DIGITS = 2;

  private Window window = Window.NEVER;
  private final Histogram latency = new Histogram(DIGITS);
  private final Histogram firstByte = new Histogram(DIGITS);
  private final Histogram service = new Histogram(DIGITS);
  private final Map<ErrorKind, Long> errors = new EnumMap<>(ErrorKind.class);
  private final List<Slice> slices = new ArrayList<>();
  private volatile long completed;
  private volatile long bytes;
  private volatile long failed;

  /** When a run counts, in the client's clock, and how finely its time series is cut. */
  public record Window(long startNanos, long endNanos, long intervalNanos) {
    public Window {
      if (endNanos <= startNanos || intervalNanos <= 0) {
        throw new IllegalArgumentException("an empty window");
      }
    }

    private static final Window NEVER = new Window(Long.MAX_VALUE - 1, Long.MAX_VALUE, 1);

    boolean holds(long nanos) {
      return nanos >= startNanos && nanos < endNanos;
    }
  }

  /** Says when the run counts; until then everything is warm-up. */
  public void opens(Window window) {
    this.window = window;
  }

  /** Body bytes moved, in either direction. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void moved(long now, long count) {
    bytes += count;
    if (window.holds(now)) {
      slice(now).bytes += count;
    }
  }

  /** A complete, correct answer. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void completed(Times times) {
    completed++;
    if (window.holds(times.done())) {
      slice(times.done()).completed++;
    }
    if (window.holds(times.intended())) {
      long waited = Math.max(0, times.done() - times.intended());
      latency.recordValue(waited);
      firstByte.recordValue(Math.max(0, times.firstByte() - times.intended()));
      service.recordValue(Math.max(0, times.done() - times.sent()));
      slice(times.intended()).latency.recordValue(waited);
    }
  }

  /** The four moments of one request, in nanoseconds of the client's clock. */
  public record Times(long intended, long sent, long firstByte, long done) {}

  /** A request intended at {@code intended} that failed. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void failed(ErrorKind kind, long intended) {
    failed++;
    errors.merge(kind, 1L, Long::sum);
    if (window.holds(intended)) {
      slice(intended).errors++;
    }
  }

  /** Everything so far, in the window or not. */
  public Counters counters() {
    return new Counters(completed, bytes, failed);
  }

  private Slice slice(long nanos) {
    int index = (int) ((nanos - window.startNanos) / window.intervalNanos);
    while (slices.size() <= index) {
      slices.add(new Slice());
    }
    return slices.get(index);
  }

  /** The recorders of all threads of one run as one result. */
  public static Recording merge(List<LatencyRecorder> recorders) {
    Window window = recorders.getFirst().window;
    var all = new LatencyRecorder();
    all.opens(window);
    for (LatencyRecorder recorder : recorders) {
      all.latency.add(recorder.latency);
      all.firstByte.add(recorder.firstByte);
      all.service.add(recorder.service);
      recorder.errors.forEach((kind, count) -> all.errors.merge(kind, count, Long::sum));
      for (int i = 0; i < recorder.slices.size(); i++) {
        all.slice(window.startNanos + i * window.intervalNanos).add(recorder.slices.get(i));
      }
    }
    return all.recording();
  }

  private Recording recording() {
    List<Interval> series = new ArrayList<>();
    Counters totals = Counters.NONE;
    for (int i = 0; i < slices.size(); i++) {
      long start = i * window.intervalNanos;
      long end = Math.min(start + window.intervalNanos, window.endNanos - window.startNanos);
      Interval interval = slices.get(i).interval(start / 1e9, (end - start) / 1e9);
      totals = totals.plus(interval.counters());
      series.add(interval);
    }
    return new Recording(
        (window.endNanos - window.startNanos) / 1e9,
        totals,
        Map.copyOf(errors),
        latency,
        firstByte,
        service,
        List.copyOf(series));
  }

  /** One interval of the series while it is counted. */
  private static final class Slice {
    private long completed;
    private long bytes;
    private long errors;
    private final Histogram latency = new Histogram(SERIES_DIGITS);

    void add(Slice other) {
      completed += other.completed;
      bytes += other.bytes;
      errors += other.errors;
      latency.add(other.latency);
    }

    Interval interval(double at, double seconds) {
      boolean empty = latency.getTotalCount() == 0;
      return new Interval(
          at,
          seconds,
          new Counters(completed, bytes, errors),
          empty ? 0 : latency.getValueAtPercentile(50),
          empty ? 0 : latency.getValueAtPercentile(99),
          empty ? 0 : latency.getMaxValue());
    }
  }
}
