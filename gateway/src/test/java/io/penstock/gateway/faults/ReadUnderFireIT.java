package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.ModelStore;
import io.penstock.gateway.testing.ModelStore.Faults;
import io.penstock.gateway.testing.ModelStore.Version;
import io.penstock.gateway.testing.Stack;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The whole read path against a model in which every byte can be foretold: random ranges, clients
 * that leave at random, objects overwritten through the gateway and behind its back, a cache too
 * small for them, a store that breaks, refuses and stalls. What a client gets is one version, never
 * bytes of two, and never one that was replaced before it asked. At the end nothing is held.
 */
@ExtendWith(LeakWatch.class)
class ReadUnderFireIT {
  private static final int KEYS = 24;
  private static final int READERS = 8;
  private static final long SEED = 20_261_130;

  /** Small parts, small blocks, little memory: everything happens often. */
  private static final String SETTINGS =
      """
      upstream:
        endpoints: ['%s']
        access-key: ak
        secret-key: sk
        pool: {response-timeout: 5s}
        retry: {max-attempts: 6, initial-backoff: 1ms, max-backoff: 5ms}
        fan-out: {min-object: 1MiB, min-part: 64KiB, max-part: 1MiB}
      runtime: {memory-budget: 64MiB, event-loops: 2}
      cache: {memory: 6MiB, block-size: 64KiB, admit-within: 0s, read-ahead: {max-window: 1MiB}, %s}
      """;

  /** What the gateway must have done in a run, or the run has proved nothing. */
  private enum Happened {
    HIT("penstock_cache_reads_total", "hit"),
    CONFIRMED("penstock_cache_reads_total", "confirmed"),
    SERVED("penstock_cache_served_bytes_total"),
    EVICTED("penstock_cache_evicted_bytes_total"),
    INVALIDATED("penstock_cache_invalidations_total"),
    AHEAD("penstock_cache_read_ahead_bytes_total"),
    PARTS("penstock_upstream_parts_total"),
    RESUMED("penstock_upstream_resumes_total");

    private final String metric;
    private final String[] labels;

    Happened(String metric, String... labels) {
      this.metric = metric;
      this.labels = labels;
    }
  }

  private record Fire(int requests, Faults faults, boolean large, boolean around, String cache) {}

  private static String key(int number) {
    return "k" + number;
  }

  @Test
  @Timeout(600)
  void everyAnswerIsOneVersionThatWasCurrent() throws Exception {
    run(
        new Fire(3_200 / READERS, new Faults(0.05, 0.02, 0.01, 100, 0.1), true, true, ""),
        EnumSet.allOf(Happened.class));
  }

  /** All writes come through the gateway, so that it need not ask to know what is current. */
  @Test
  @Timeout(600)
  void whatIsServedWithoutAskingIsNeverOlderThanAFinishedWrite() throws Exception {
    run(
        new Fire(2_400 / READERS, new Faults(0.02, 0, 0, 0, 0), true, false, "fresh-for: 1h"),
        EnumSet.of(
            Happened.HIT,
            Happened.SERVED,
            Happened.EVICTED,
            Happened.INVALIDATED,
            Happened.AHEAD,
            Happened.RESUMED));
  }

  /**
   * Netty's paranoid leak detection watches; the budget is at zero when the gateway closes. The
   * whole hundred thousand take minutes: {@code -Dpenstock.fire.requests=100000}.
   */
  @Test
  @Timeout(1200)
  void requestsWithRandomCancelsLeaveNothingBehind() throws Exception {
    int requests = Integer.getInteger("penstock.fire.requests", 6_000) / READERS;
    run(
        new Fire(requests, Faults.NONE, false, true, ""),
        EnumSet.of(Happened.CONFIRMED, Happened.SERVED, Happened.INVALIDATED));
  }

  private void run(Fire fire, Set<Happened> expected) throws Exception {
    SplittableRandom seeds = new SplittableRandom(SEED);
    try (ModelStore store = new ModelStore(fire.faults(), SEED);
        Stack stack =
            Stack.start(
                store.endpoint(), "ak", "sk", SETTINGS.formatted(store.endpoint(), fire.cache()))) {
      SplittableRandom sizes = seeds.split();
      Map<String, Version> written = new ConcurrentHashMap<>();
      for (int i = 0; i < KEYS; i++) {
        int size = 1 + sizes.nextInt(fire.large() ? 3_000_000 : 200_000);
        written.put(key(i), store.write(key(i), size));
      }
      AtomicBoolean over = new AtomicBoolean();
      Thread writer =
          Thread.ofVirtual()
              .start(() -> overwrite(store, stack, seeds.split(), over, fire, written));
      List<FireReader> readers = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          Function<String, Version> current =
              fire.around() ? key -> store.versions(key).getLast() : written::get;
          FireReader reader = new FireReader(store, stack.s3(), seeds.split(), KEYS, current);
          readers.add(reader);
          done.add(threads.submit(() -> reader.read(fire.requests())));
        }
        for (Future<?> each : done) {
          each.get();
        }
      } finally {
        over.set(true);
        writer.join();
      }
      judge(readers, fire);
      Probe probe = new Probe(stack.gateway().admin());
      probe.awaitQuiet();
      for (Happened each : expected) {
        assertThat(probe.metric(each.metric, each.labels)).as(each.name()).isPositive();
      }
    }
  }

  private static void judge(List<FireReader> readers, Fire fire) {
    long whole = readers.stream().mapToLong(FireReader::whole).sum();
    long cancelled = readers.stream().mapToLong(FireReader::cancelled).sum();
    long failed = readers.stream().mapToLong(FireReader::failed).sum();
    long all = (long) fire.requests() * READERS;
    assertThat(whole + cancelled + failed).isEqualTo(all);
    assertThat(whole).isGreaterThan(all / 2);
    assertThat(cancelled).isGreaterThan(all / 10);
    // a version that is replaced while it is read cannot always be read to its end
    assertThat(failed).isLessThan(fire.faults().equals(Faults.NONE) ? all / 20 : all / 5);
  }

  /** Half of the writes go through the gateway, half behind its back, unless all go through. */
  private static void overwrite(
      ModelStore store,
      Stack stack,
      SplittableRandom random,
      AtomicBoolean over,
      Fire fire,
      Map<String, Version> written) {
    while (!over.get()) {
      String key = key(random.nextInt(KEYS));
      if (fire.around() && random.nextBoolean()) {
        store.write(key, 1 + random.nextInt(fire.large() ? 3_000_000 : 200_000));
      } else {
        FireReader.put(stack.s3(), key)
            .ifPresent(_ -> written.put(key, store.versions(key).getLast()));
      }
      try {
        Thread.sleep(random.nextInt(1, 20));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The model itself: two versions differ, and so do two offsets of one. */
  @Test
  void theModelTellsVersionsAndOffsetsApart() {
    Version first = new Version("k", 0, 1000);
    Version second = new Version("k", 1, 1000);
    int same = 0;
    int shifted = 0;
    for (int i = 0; i < 992; i++) {
      same += first.at(i) == second.at(i) ? 1 : 0;
      shifted += first.at(i) == first.at(i + 8) ? 1 : 0;
    }
    assertThat(same).isLessThan(50);
    assertThat(shifted).isLessThan(50);
  }
}
