package io.penstock.gateway.read.fetch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.penstock.gateway.upstream.VirtualTimeline;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store in virtual time with one object: each answer takes the latency, each connection has a
 * rate, and all of them share a link. Byte {@code i} of version {@code v} is {@link #byteAt}.
 */
final class SimulatedOrigin implements UpstreamChannel {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");
  private static final Duration TICK = Duration.ofMillis(1);

  private final VirtualTimeline time;
  private final long size;
  private final Duration latency;
  private final List<Connection> open = new ArrayList<>();
  private IntToDoubleFunction rate;
  private double link = Double.MAX_VALUE;
  private Interference interference = _ -> 0;
  private int piece = 64 << 10;
  private byte[] blank;
  private int version = 1;
  private int requests;
  private int most;
  private long sent;
  private boolean ticking;

  /** What the store does to a request instead of serving it. */
  interface Interference {
    /** 0: serve it; -1: fail it; -2: serve it and break off midway; a status: answer that. */
    int to(int request);
  }

  SimulatedOrigin(VirtualTimeline time, long size, Duration latency, double bytesPerSecond) {
    this.time = time;
    this.size = size;
    this.latency = latency;
    this.rate = _ -> bytesPerSecond;
  }

  SimulatedOrigin sharing(double bytesPerSecond) {
    link = bytesPerSecond;
    return this;
  }

  /** The rate of the n-th request's connection, from 1. */
  SimulatedOrigin rates(IntToDoubleFunction rates) {
    rate = rates;
    return this;
  }

  SimulatedOrigin interfering(Interference with) {
    interference = with;
    return this;
  }

  SimulatedOrigin pieces(int bytes) {
    piece = bytes;
    return this;
  }

  /** Serves zeros, which takes less time. */
  SimulatedOrigin blank() {
    blank = new byte[piece];
    return this;
  }

  void overwrite() {
    version++;
  }

  int requests() {
    return requests;
  }

  /** Most connections that were busy at once. */
  int most() {
    return most;
  }

  int busy() {
    return open.size();
  }

  long sent() {
    return sent;
  }

  static byte byteAt(int version, long offset) {
    return (byte) (version * 31 + offset + (offset >> 8) * 7 + (offset >> 16) * 13);
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    int number = ++requests;
    int fate = interference.to(number);
    Promise<UpstreamResponse> answer = Promise.promise();
    request.cancellation().onCancel(() -> answer.tryFail(new UpstreamFailure.Cancelled(true)));
    time.after(latency, () -> answer(request, number, fate, answer));
    return answer.future();
  }

  private void answer(
      UpstreamRequest request, int number, int fate, Promise<UpstreamResponse> answer) {
    if (request.cancellation().isCancelled()) {
      return;
    }
    if (fate == -1) {
      answer.fail(new UpstreamFailure.Broken("refused", true));
      return;
    }
    String etag = "\"v" + version + "\"";
    boolean other = request.fields().get("if-match").filter(tag -> !tag.equals(etag)).isPresent();
    if (fate > 0 || other) {
      answer.complete(
          new UpstreamResponse(
              new ResponseHead(other ? 412 : fate, HttpFields.of("ETag", etag)),
              new Connection(request, number, 0, 0, false)));
      return;
    }
    Matcher range = RANGE.matcher(request.fields().get("range").orElse(""));
    long from = 0;
    long end = size;
    if (range.matches()) {
      from = Long.parseLong(range.group(1));
      end = Math.min(size, Long.parseLong(range.group(2)) + 1);
    }
    HttpFields fields =
        range.matches()
            ? HttpFields.of(
                "ETag", etag, "Content-Range", "bytes %d-%d/%d".formatted(from, end - 1, size))
            : HttpFields.of("ETag", etag);
    Connection connection = new Connection(request, number, from, end, fate == -2);
    open.add(connection);
    most = Math.max(most, open.size());
    if (!ticking) {
      ticking = true;
      time.after(TICK, this::tick);
    }
    answer.complete(
        new UpstreamResponse(new ResponseHead(range.matches() ? 206 : 200, fields), connection));
  }

  private void tick() {
    List<Connection> now = List.copyOf(open);
    long busy = now.stream().filter(it -> !it.paused).count();
    for (Connection connection : now) {
      double share = Math.min(rate.applyAsDouble(connection.number), link / Math.max(1, busy));
      connection.tick(share * TICK.toNanos() / 1e9);
    }
    ticking = !open.isEmpty();
    if (ticking) {
      time.after(TICK, this::tick);
    }
  }

  private final class Connection implements BodyStream {
    private final int number;
    private final int served = version;
    private final long length;
    private final long breaksAt;
    private long position;
    private final long end;
    private double allowance;
    private Sink sink;
    private boolean paused = true;
    private boolean over;

    Connection(UpstreamRequest request, int number, long from, long end, boolean breaks) {
      this.number = number;
      this.position = from;
      this.end = end;
      this.length = end - from;
      this.breaksAt = breaks ? from + (end - from) / 2 : Long.MAX_VALUE;
      request
          .cancellation()
          .onCancel(
              () -> {
                if (!over) {
                  cancel();
                  if (sink != null) {
                    sink.failed(new UpstreamFailure.Cancelled(true));
                  }
                }
              });
    }

    void tick(double bytes) {
      if (paused || over) {
        return;
      }
      allowance = Math.min(allowance + bytes, bytes + piece);
      while (allowance >= Math.min(piece, end - position) && !paused && !over) {
        int count = (int) Math.min(piece, end - position);
        allowance -= count;
        give(count);
      }
    }

    private void give(int count) {
      if (position >= breaksAt) {
        cancel();
        sink.failed(new UpstreamFailure.Broken("broken midway", true));
        return;
      }
      ByteBuf buffer = Unpooled.wrappedBuffer(bytes(count));
      position += count;
      sent += count;
      boolean last = position == end;
      sink.data(buffer);
      if (last && !over) {
        cancel();
        sink.end();
      }
    }

    private byte[] bytes(int count) {
      if (blank != null && blank.length == count) {
        return blank;
      }
      byte[] bytes = new byte[count];
      for (int i = 0; i < count; i++) {
        bytes[i] = byteAt(served, position + i);
      }
      return bytes;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void start(Sink to) {
      if (sink != null) {
        throw new IllegalStateException("started twice");
      }
      sink = to;
      paused = false;
    }

    @Override
    public void pause() {
      paused = true;
    }

    @Override
    public void resume() {
      paused = false;
    }

    @Override
    public void cancel() {
      over = true;
      open.remove(this);
    }
  }
}
