package io.penstock.sink.cli;

import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.wire.BatchView;
import io.penstock.arrow.wire.ItemStatus;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came: rows by outcome, bytes, time.
 *
 * <p>Threading: one thread.
 */
final class Tally {
  private final Map<String, Long> failures = new TreeMap<>();
  private long batches;
  private long rows;
  private long good;
  private long bytes;

  void add(ReceivedBatch batch) {
    batches++;
    BatchView view = new BatchView(batch);
    for (int row = 0; row < view.rows(); row++) {
      rows++;
      switch (view.status(row)) {
        case ItemStatus.Failed failed -> failures.merge(failed.code(), 1L, Long::sum);
        default -> good++;
      }
    }
    for (var column : batch.columns()) {
      for (var buffer : column.buffers()) {
        bytes += buffer.byteSize();
      }
    }
  }

  long rows() {
    return rows;
  }

  /** The lines of the table. */
  String text(Duration time, int resumed) {
    double seconds = Math.max(time.toNanos() / 1e9, 1e-9);
    StringBuilder text = new StringBuilder();
    line(text, "batches", "%,d", batches);
    line(text, "rows", "%,d", rows);
    line(text, "  ok", "%,d", good);
    failures.forEach((code, count) -> line(text, "  " + code, "%,d", count));
    line(text, "bytes", "%.1f MB in memory", bytes / 1e6);
    line(text, "time", "%.2f s", seconds);
    line(text, "rate", "%,.0f rows/s, %,.1f MB/s", rows / seconds, bytes / 1e6 / seconds);
    if (resumed > 0) {
      line(text, "resumed", "%,d times", resumed);
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String format, Object... values) {
    text.append("  %-20s ".formatted(name))
        .append(String.format(Locale.ROOT, format, values))
        .append('\n');
  }
}
