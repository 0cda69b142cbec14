package io.penstock.loadtest.client;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.record.Counters;
import io.penstock.loadtest.record.LatencyRecorder;
import io.penstock.loadtest.record.LatencyRecorder.Window;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.wire.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs scenarios. Connections are opened and requests signed first; then the warm-up, then the
 * window that counts, then a grace time for the last answers.
 *
 * <p>Threading: {@link #run} blocks its caller, who is not an event loop; one run at a time.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
public final class LoadClient implements AutoCloseable {
  private static final long CONNECT_SECONDS = 10;
  private static final long TICK_MILLIS = 100;

  private final EventLoopGroup loops;
  private final InstantSource clock;

  /** Watches a run from its runner's thread. */
  public interface Watcher {
    Watcher NONE = new Watcher() {};

    /** The warm-up is over: from here on it counts. */
    default void opened(Counters before) {}

    /** Called about ten times a second. */
    default void progress(double seconds, Counters soFar) {}

    /** The window is over; answers may still come in. */
    default void closed(Counters after) {}
  }

  public LoadClient(int threads, InstantSource clock) {
    this.loops = Transport.best().loops(threads, "load");
    this.clock = clock;
  }

  /**
   * Runs {@code scenario} against {@code target}.
   *
   * @throws IllegalStateException when not all connections are open after ten seconds
   * @throws InterruptedException when the caller's thread is interrupted; the run is then abandoned
   */
  public Recording run(Scenario scenario, Target target, Watcher watcher)
      throws InterruptedException {
    var book = new RequestBook(scenario, target, clock);
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < scenario.connections().threads(); i++) {
      workers.add(new Worker(loops.next(), System::nanoTime));
    }
    try {
      connect(workers, scenario, target);
      long origin = System.nanoTime();
      Window window = window(scenario, origin);
      for (int i = 0; i < workers.size(); i++) {
        workers.get(i).start(scenario, book, i, origin, window);
      }
      watch(workers, window, watcher);
      awaitQuiet(workers, scenario.timing().grace().toNanos());
    } catch (InterruptedException | RuntimeException e) {
      finish(workers);
      throw e;
    }
    return LatencyRecorder.merge(finish(workers));
  }

  private static void connect(List<Worker> workers, Scenario scenario, Target target)
      throws InterruptedException {
    SslContext tls = target.tls() ? Connector.tls(scenario.connections().http()) : null;
    List<CompletableFuture<Void>> up = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      up.add(workers.get(i).connect(scenario, target, tls, i));
    }
    try {
      CompletableFuture.allOf(up.toArray(CompletableFuture[]::new))
          .get(CONNECT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not all %d connections to %s were open after %d s; is it running?"
              .formatted(scenario.connections().count(), target.endpoint(), CONNECT_SECONDS),
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Window window(Scenario scenario, long origin) {
    long start = origin + scenario.timing().warmup().toNanos();
    long length = scenario.timing().duration().toNanos();
    // about 100 points in the series, none shorter than 100 ms
    long interval = Math.max(TimeUnit.MILLISECONDS.toNanos(100), length / 100);
    return new Window(start, start + length, interval);
  }

  private static void watch(List<Worker> workers, Window window, Watcher watcher)
      throws InterruptedException {
    sleepUntil(window.startNanos());
    Counters before = counters(workers);
    watcher.opened(before);
    for (long now = System.nanoTime(); now < window.endNanos(); now = System.nanoTime()) {
      watcher.progress((now - window.startNanos()) / 1e9, counters(workers).minus(before));
      sleepUntil(Math.min(window.endNanos(), now + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)));
    }
    watcher.closed(counters(workers));
  }

  private static void awaitQuiet(List<Worker> workers, long graceNanos)
      throws InterruptedException {
    long deadline = System.nanoTime() + graceNanos;
    while (System.nanoTime() < deadline
        && !onLoops(workers, Worker::quiet).stream().allMatch(q -> q)) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static List<LatencyRecorder> finish(List<Worker> workers) {
    return onLoops(workers, Worker::finish);
  }

  private static <T> List<T> onLoops(List<Worker> workers, Function<Worker, T> task) {
    return workers.stream()
        .map(worker -> worker.loop().submit(() -> task.apply(worker)))
        .toList()
        .stream()
        .map(submitted -> submitted.syncUninterruptibly().getNow())
        .toList();
  }

  private static Counters counters(List<Worker> workers) {
    return workers.stream().map(Worker::counters).reduce(Counters.NONE, Counters::plus);
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
