package io.penstock.loadtest.client;

import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.plan.Scenario.Connections.Http;
import io.penstock.loadtest.record.Counters;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.LatencyRecorder;
import io.penstock.loadtest.record.LatencyRecorder.Window;
import io.penstock.loadtest.wire.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's share of a run: its connections, its arrivals, its recorder.
 *
 * <p>Threading: everything but the constructor runs on the event loop; {@link #counters} anywhere.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
final class Worker implements Lane.Events {
  private final EventLoop loop;
  private final LongSupplier clock;
  private final LatencyRecorder recorder = new LatencyRecorder();
  private final List<ConnectedLane> lanes = new ArrayList<>();
  private final List<Lane> early = new ArrayList<>();
  private final CompletableFuture<Void> allUp = new CompletableFuture<>();
  private @Nullable Dispatcher dispatcher;
  private long wakeAt = Long.MAX_VALUE;

  Worker(EventLoop loop, LongSupplier clock) {
    this.loop = loop;
    this.clock = clock;
  }

  /** Opens {@code connections} connections; done when every lane has been up once. */
  CompletableFuture<Void> connect(
      Scenario scenario, Target target, @Nullable SslContext tls, int part) {
    var all = scenario.connections();
    int connections = share(all.count(), part, all.threads());
    int firstLane = part * all.streams() * ((all.count() + all.threads() - 1) / all.threads());
    var connector = new Connector(target, Transport.best(), loop, tls);
    List<Runnable> starts = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      int number = firstLane + i * all.streams();
      if (all.http() == Http.HTTP_1) {
        var lane = new Http1Lane(number, connector, flight(target), this);
        lanes.add(lane);
        starts.add(lane::connect);
      } else {
        List<Http2Lane> streams = new ArrayList<>();
        for (int s = 0; s < all.streams(); s++) {
          streams.add(
              new Http2Lane(number + s, target.endpoint().getScheme(), flight(target), this));
        }
        lanes.addAll(streams);
        starts.add(new Http2Link(connector, streams)::connect);
      }
    }
    loop.execute(() -> starts.forEach(Runnable::run));
    return allUp;
  }

  /** The {@code part}-th of {@code parts} nearly equal shares of {@code whole}. */
  static int share(int whole, int part, int parts) {
    return whole / parts + (part < whole % parts ? 1 : 0);
  }

  private Flight flight(Target target) {
    return new Flight(recorder, clock, target.verify());
  }

  /** Starts sending, until the end of the window; the schedule counts from {@code origin}. */
  void start(Scenario scenario, RequestBook book, int part, long origin, Window window) {
    var offsets =
        scenario.arrivals() instanceof Arrivals.Open(var schedule)
            ? Optional.of(schedule.offsets(part, scenario.connections().threads()))
            : Optional.<PrimitiveIterator.OfLong>empty();
    var shots = new ShotSource(scenario, book, scenario.seed() + part);
    loop.execute(
        () -> {
          recorder.opens(window);
          var started = new Dispatcher(offsets, shots, origin, window.endNanos());
          early.forEach(started::idle);
          dispatcher = started;
          pump();
        });
  }

  @Override
  public void idle(Lane lane) {
    if (dispatcher != null) {
      dispatcher.idle(lane);
      pump();
      return;
    }
    early.add(lane);
    if (early.size() == lanes.size()) {
      allUp.complete(null);
    }
  }

  private void pump() {
    Dispatcher started = dispatcher;
    if (started == null) {
      return;
    }
    long now = clock.getAsLong();
    long next = started.pump(now);
    if (next < wakeAt) {
      wakeAt = next;
      loop.schedule(this::wake, Math.max(0, next - now), TimeUnit.NANOSECONDS);
    }
  }

  private void wake() {
    wakeAt = Long.MAX_VALUE;
    pump();
  }

  @Override
  public void refused(ErrorKind kind) {
    recorder.failed(kind, clock.getAsLong());
  }

  /** Whether every request has been sent and answered. */
  boolean quiet() {
    boolean allSent = dispatcher == null || dispatcher.finished(clock.getAsLong());
    return allSent && lanes.stream().noneMatch(lane -> lane.flight.busy());
  }

  /** Ends the run: whatever is not complete by now is an error. */
  LatencyRecorder finish() {
    lanes.forEach(lane -> lane.abandon(ErrorKind.UNFINISHED));
    if (dispatcher != null) {
      dispatcher.unsent(intended -> recorder.failed(ErrorKind.UNSENT, intended));
    }
    return recorder;
  }

  Counters counters() {
    return recorder.counters();
  }

  EventLoop loop() {
    return loop;
  }
}
