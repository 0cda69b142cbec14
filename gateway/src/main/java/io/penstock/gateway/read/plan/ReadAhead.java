package io.penstock.gateway.read.plan;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What to bring before it is asked for, for the readers of one version of one object. A read that
 * continues another one, give or take {@code SLACK} of its lengths, makes a stream; several streams
 * go on side by side. A stream's window begins at two blocks, and each time its reader has come
 * within half a window of the end of what was brought, another window is planned and the next one
 * is twice as large:
 *
 * <pre>
 *   plan when   ahead - next &lt; window / 2
 *   plan        [max(ahead, next), next + window), widened to whole blocks, cut at the end
 *   then        window = min(2 * window, ceiling)
 * </pre>
 *
 * <p>A stream that rests for {@link #IDLE_NANOS} is over; if more than half a window was brought in
 * vain, the ceiling of all later streams is halved, and a stream that has used a whole ceiling
 * doubles it again, up to the configured one.
 *
 * <p>Threading: any thread; one short lock.
 */
public final class ReadAhead {
  /** A reader that rests for longer has gone. */
  public static final long IDLE_NANOS = 3_000_000_000L;

  static final int MOST_STREAMS = 16;
  static final int SLACK = 8;

  private final Settings settings;
  private final long length;
  private final List<Stream> streams = new ArrayList<>(1);
  private long ceiling;

  /**
   * How far to go.
   *
   * @param maxWindow most bytes ahead of one reader; 0 to bring nothing
   */
  public record Settings(long blockSize, long maxWindow) {}

  /**
   * What to do about one read.
   *
   * @param sequential whether the read begins exactly where another one ended; reads that are
   *     merely near are read ahead for, but may be those of another client
   * @param from first byte to bring
   * @param to the byte after the last; nothing is to be brought if not larger than {@code from}
   */
  public record Plan(boolean sequential, long from, long to) {
    static final Plan NOTHING = new Plan(false, 0, 0);

    public long bytes() {
      return Math.max(0, to - from);
    }
  }

  private static final class Stream {
    private long next;
    private long ahead;
    private long window;
    private long used;
    private long lastNanos;
  }

  /** The plan for an object of {@code length} bytes. */
  public ReadAhead(Settings settings, long length) {
    this.settings = settings;
    this.length = length;
    this.ceiling = settings.maxWindow();
  }

  /** A client asks for the bytes {@code first} to {@code last}, both inclusive. */
  public synchronized Plan read(long first, long last, long nowNanos) {
    if (settings.maxWindow() <= 0) {
      return Plan.NOTHING;
    }
    Stream stream = find(first, last - first + 1);
    if (stream == null) {
      open(last + 1, nowNanos);
      return Plan.NOTHING;
    }
    boolean continues = first == stream.next;
    stream.lastNanos = nowNanos;
    stream.next = Math.max(stream.next, last + 1);
    if (stream.window == 0) {
      stream.window = Math.min(ceiling, Math.max(2 * settings.blockSize(), 2 * (last - first + 1)));
    }
    stream.ahead = Math.max(stream.ahead, floor(Math.min(first, stream.next)));
    if (stream.ahead >= length || stream.ahead - stream.next >= stream.window / 2) {
      return new Plan(continues, 0, 0);
    }
    long from = stream.ahead;
    long to = Math.min(length, ceil(stream.next + stream.window));
    stream.ahead = Math.max(from, to);
    grow(stream, to - from);
    return new Plan(continues, from, to);
  }

  private void grow(Stream stream, long planned) {
    stream.used += planned;
    if (stream.used > ceiling && ceiling < settings.maxWindow()) {
      ceiling = Math.min(settings.maxWindow(), 2 * ceiling);
      stream.used = 0;
    }
    stream.window = Math.min(ceiling, 2 * stream.window);
  }

  private @org.jspecify.annotations.Nullable Stream find(long first, long bytes) {
    Stream nearest = null;
    for (Stream stream : streams) {
      long distance = Math.abs(first - stream.next);
      if (distance <= SLACK * bytes
          && (nearest == null || distance < Math.abs(first - nearest.next))) {
        nearest = stream;
      }
    }
    return nearest;
  }

  private void open(long next, long nowNanos) {
    if (streams.size() == MOST_STREAMS) {
      Stream oldest = streams.getFirst();
      for (Stream stream : streams) {
        if (stream.lastNanos - oldest.lastNanos < 0) {
          oldest = stream;
        }
      }
      streams.remove(oldest);
    }
    Stream stream = new Stream();
    stream.next = next;
    stream.lastNanos = nowNanos;
    streams.add(stream);
  }

  /** What could not be brought: the reader may ask for it again. */
  public synchronized void failed(long from) {
    for (Stream stream : streams) {
      if (stream.ahead > from && stream.next <= from) {
        stream.ahead = from;
        stream.window = Math.max(settings.blockSize(), stream.window / 2);
      }
    }
  }

  /** Ends the streams that rest; what was brought for them and not read is in the plans. */
  public synchronized List<Plan> rest(long nowNanos) {
    List<Plan> unread = new ArrayList<>(0);
    Iterator<Stream> each = streams.iterator();
    while (each.hasNext()) {
      Stream stream = each.next();
      if (nowNanos - stream.lastNanos < IDLE_NANOS) {
        continue;
      }
      each.remove();
      long left = stream.ahead - stream.next;
      if (left > 0) {
        unread.add(new Plan(true, floor(stream.next), stream.ahead));
      }
      if (left > stream.window / 2) {
        ceiling = Math.max(2 * settings.blockSize(), ceiling / 2);
        ceiling = Math.min(ceiling, settings.maxWindow());
      }
    }
    return unread;
  }

  /** Whether anybody reads in order, so that {@link #rest} will have something to say. */
  public synchronized boolean hasStreams() {
    return !streams.isEmpty();
  }

  private long floor(long offset) {
    return offset / settings.blockSize() * settings.blockSize();
  }

  private long ceil(long offset) {
    return floor(offset + settings.blockSize() - 1);
  }
}
