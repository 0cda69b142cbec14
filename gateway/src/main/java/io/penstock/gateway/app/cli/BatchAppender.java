package io.penstock.gateway.app.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages to stderr, one a line, many in one write. The thread that logs only puts the line
 * into a bounded queue and wakes nobody: waking a writer for each line costs an event loop more
 * than the line itself. A line that finds the queue full is dropped, and a later line says how many
 * were.
 *
 * <p>Threading: {@code append} from every thread; one thread of its own writes.
 */
public final class BatchAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final int MOST_WAITING = 16_384;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_FAREWELL_MILLIS = 1_000;

  private final ArrayBlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final PrintStream out;
  private @Nullable Thread writer;
  private volatile boolean ending;

  public BatchAppender() {
    this(System.err);
  }

  BatchAppender(PrintStream out) {
    this.out = out;
  }

  @Override
  public void start() {
    super.start();
    Thread thread = new Thread(this::write, "access-log");
    thread.setDaemon(true);
    writer = thread;
    thread.start();
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (!waiting.offer(event.getFormattedMessage())) {
      dropped.incrementAndGet();
    }
  }

  /** Writes what waits, unless stderr is stuck. */
  @Override
  public void stop() {
    super.stop();
    ending = true;
    Thread thread = writer;
    if (thread != null) {
      LockSupport.unpark(thread);
      try {
        thread.join(LONGEST_FAREWELL_MILLIS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void write() {
    List<String> lines = new ArrayList<>();
    while (true) {
      boolean last = ending;
      waiting.drainTo(lines);
      if (!lines.isEmpty()) {
        writeAll(lines);
        lines.clear();
      }
      if (last) {
        return;
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  private void writeAll(List<String> lines) {
    StringBuilder text = new StringBuilder(256 * lines.size());
    for (String line : lines) {
      text.append(line).append('\n');
    }
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      text.append("{\"dropped-access-lines\":").append(lost).append("}\n");
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }
}
