package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.ModelStore;
import io.penstock.gateway.testing.ModelStore.Faults;
import io.penstock.gateway.testing.ModelStore.Version;
import io.penstock.gateway.testing.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
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
      runtime: {memory-budget: 64MiB}
      """;

  private static String key(int number) {
    return "k" + number;
  }

  @Test
  @Timeout(600)
  void everyAnswerIsOneVersionThatWasCurrent() throws Exception {
    run(6_000 / READERS, new Faults(0.05, 0.02, 0.01, 100), true);
  }

  /**
   * Netty's paranoid leak detection watches; the budget is at zero when the gateway closes. The
   * whole hundred thousand take minutes: {@code -Dpenstock.fire.requests=100000}.
   */
  @Test
  @Timeout(1200)
  void requestsWithRandomCancelsLeaveNothingBehind() throws Exception {
    run(Integer.getInteger("penstock.fire.requests", 16_000) / READERS, Faults.NONE, false);
  }

  private void run(int requests, Faults faults, boolean large) throws Exception {
    SplittableRandom seeds = new SplittableRandom(SEED);
    try (ModelStore store = new ModelStore(faults, SEED);
        Stack stack =
            Stack.start(store.endpoint(), "ak", "sk", SETTINGS.formatted(store.endpoint()))) {
      SplittableRandom sizes = seeds.split();
      for (int i = 0; i < KEYS; i++) {
        store.write(key(i), 1 + sizes.nextInt(large ? 3_000_000 : 40_000));
      }
      AtomicBoolean over = new AtomicBoolean();
      Thread writer =
          Thread.ofVirtual().start(() -> overwrite(store, stack, seeds.split(), over, large));
      List<FireReader> readers = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          FireReader reader = new FireReader(store, stack.s3(), seeds.split(), KEYS);
          readers.add(reader);
          done.add(threads.submit(() -> reader.read(requests)));
        }
        for (Future<?> each : done) {
          each.get();
        }
      } finally {
        over.set(true);
        writer.join();
      }
      judge(readers, requests, faults);
      new Probe(stack.gateway().admin()).awaitQuiet();
    }
  }

  private static void judge(List<FireReader> readers, int requests, Faults faults) {
    long whole = readers.stream().mapToLong(FireReader::whole).sum();
    long cancelled = readers.stream().mapToLong(FireReader::cancelled).sum();
    long failed = readers.stream().mapToLong(FireReader::failed).sum();
    long all = (long) requests * READERS;
    assertThat(whole + cancelled + failed).isEqualTo(all);
    assertThat(whole).isGreaterThan(all / 2);
    assertThat(cancelled).isGreaterThan(all / 10);
    // a version that is replaced while it is read cannot always be read to its end
    assertThat(failed).isLessThan(faults.equals(Faults.NONE) ? all / 20 : all / 5);
  }

  /** Half of the writes go through the gateway, half behind its back. */
  private static void overwrite(
      ModelStore store, Stack stack, SplittableRandom random, AtomicBoolean over, boolean large) {
    while (!over.get()) {
      String key = key(random.nextInt(KEYS));
      if (random.nextBoolean()) {
        store.write(key, 1 + random.nextInt(large ? 3_000_000 : 40_000));
      } else {
        FireReader.put(stack.s3(), key);
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
