package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.UpstreamConfig.RetryConfig;
import io.penstock.gateway.upstream.wire.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/**
 * Named incidents on virtual time: an open loop of calls goes through Retry and Limit to simulated
 * endpoints. What happened second by second is compared with the report in the test resources; run
 * with {@code -Dsimulation.write=true} to write it anew after a change that is meant.
 */
class UpstreamSimulation {
  private static final Path REPORTS = Path.of("src/test/resources/io/penstock/gateway/upstream");
  private static final int CALLS_PER_SECOND = 200;
  private static final int SECONDS = 30;
  private static final RetryConfig CONFIG =
      new RetryConfig(3, Duration.ofMillis(50), Duration.ofSeconds(2));

  private final VirtualTimeline time = new VirtualTimeline();
  private final List<SimulatedStore> stores = new ArrayList<>();
  private final StringBuilder report = new StringBuilder();
  private final SplittableRandom random = new SplittableRandom(42);
  private final List<Long> latencies = new ArrayList<>();
  private int answered;
  private int slowDowns;
  private int refused;
  private int unreachable;
  private int totalTries;
  private int totalFailed;

  @Test
  void storeAnswers503ForTenSeconds() throws IOException {
    run(
        "The only endpoint answers 503 SlowDown from second 5 to second 15.",
        1,
        second -> {
          if (second == 5) {
            stores.getFirst().become(SimulatedStore.State.SLOW_DOWN);
          } else if (second == 15) {
            stores.getFirst().become(SimulatedStore.State.FINE);
          }
        });
    // no storm: never more tries than calls and a tenth, and fewer while it lasts
    assertThat(totalTries).isLessThan(CALLS_PER_SECOND * SECONDS);
    assertReport("store-answers-503-for-10-s.txt");
  }

  @Test
  void oneSlowDownInAHundred() throws IOException {
    int[] turns = new int[1];
    run(
        "Twice a second the only endpoint answers 503 SlowDown for 5 ms.",
        1,
        second -> {
          if (second == 0) {
            hiccup(turns);
          }
        });
    assertThat(totalFailed).isZero();
    assertReport("one-slow-down-in-a-hundred.txt");
  }

  private void hiccup(int[] turns) {
    turns[0]++;
    stores.getFirst().become(SimulatedStore.State.SLOW_DOWN);
    time.after(Duration.ofMillis(5), () -> stores.getFirst().become(SimulatedStore.State.FINE));
    if (turns[0] < SECONDS * 2) {
      time.after(Duration.ofMillis(500), () -> hiccup(turns));
    }
  }

  @Test
  void oneEndpointDead() throws IOException {
    run(
        "Endpoint 1 of 3 refuses connections from second 5 to second 20.",
        3,
        second -> {
          if (second == 5) {
            stores.get(1).become(SimulatedStore.State.REFUSING);
          } else if (second == 20) {
            stores.get(1).become(SimulatedStore.State.FINE);
          }
        });
    assertThat(totalFailed).as("calls that failed").isZero();
    assertReport("one-endpoint-dead.txt");
  }

  @Test
  void allEndpointsDead() throws IOException {
    run(
        "All 3 endpoints refuse connections from second 5 to second 10.",
        3,
        second -> {
          if (second == 5) {
            stores.forEach(store -> store.become(SimulatedStore.State.REFUSING));
          } else if (second == 10) {
            stores.forEach(store -> store.become(SimulatedStore.State.FINE));
          }
        });
    assertReport("all-endpoints-dead.txt");
  }

  @Test
  void oneEndpointSlow() throws IOException {
    run(
        "Endpoint 2 of 3 takes 600 ms instead of 20 from second 5 to second 20.",
        3,
        second -> {
          if (second == 5) {
            stores.get(2).become(SimulatedStore.State.SLOW);
          } else if (second == 20) {
            stores.get(2).become(SimulatedStore.State.FINE);
          }
        });
    assertThat(totalFailed).isZero();
    assertReport("one-endpoint-slow.txt");
  }

  private void run(String incident, int endpoints, IntConsumer atSecond) {
    UpstreamChannel channel = stack(endpoints);
    report.append(incident).append("\n").append(CALLS_PER_SECOND).append(" calls a second.\n\n");
    report.append(
        "second  calls  tries (by endpoint)  answered  503  refused  unreachable  p99 ms\n");
    for (int second = 0; second < SECONDS; second++) {
      atSecond.accept(second);
      for (int call = 0; call < CALLS_PER_SECOND; call++) {
        call(channel);
        time.advance(Duration.ofSeconds(1).dividedBy(CALLS_PER_SECOND));
      }
      line(second);
    }
    report.append("\ntries: ").append(totalTries).append(", calls failed: ").append(totalFailed);
    report.append("\n");
  }

  private UpstreamChannel stack(int endpoints) {
    List<EndpointPicker.Member> members = new ArrayList<>();
    for (int i = 0; i < endpoints; i++) {
      SimulatedStore store = new SimulatedStore("store" + i, time);
      stores.add(store);
      members.add(
          new EndpointPicker.Member(
              Endpoint.of(URI.create("http://store" + i)), store, store::load));
    }
    EndpointPicker picker = new EndpointPicker(members, time, UpstreamObserver.NONE);
    BucketHomes homes = new BucketHomes("us-east-1");
    return new RetryChannel(
        new LimitChannel(picker, homes, time, UpstreamObserver.NONE),
        CONFIG.maxAttempts(),
        new Backoff(CONFIG, random),
        time,
        UpstreamObserver.NONE);
  }

  private void call(UpstreamChannel channel) {
    Duration begun = time.elapsed();
    channel
        .send(Requests.get("b", "k"))
        .onComplete(
            result -> {
              if (result.failed()) {
                totalFailed++;
                if (result.cause() instanceof UpstreamFailure.Overloaded) {
                  refused++;
                } else {
                  unreachable++;
                }
              } else if (result.result().head().status() == 503) {
                totalFailed++;
                slowDowns++;
              } else {
                answered++;
                latencies.add(time.elapsed().minus(begun).toMillis());
              }
            });
  }

  private void line(int second) {
    List<Integer> tries = stores.stream().map(SimulatedStore::takeTries).toList();
    int sum = tries.stream().mapToInt(Integer::intValue).sum();
    totalTries += sum;
    latencies.sort(null);
    String p99 =
        latencies.isEmpty() ? "-" : String.valueOf(latencies.get(latencies.size() * 99 / 100));
    report.append(
        "%6d  %5d  %5d %-14s  %8d  %3d  %7d  %11d  %6s%n"
            .formatted(
                second,
                CALLS_PER_SECOND,
                sum,
                tries.size() > 1 ? tries.toString() : "",
                answered,
                slowDowns,
                refused,
                unreachable,
                p99));
    answered = 0;
    slowDowns = 0;
    refused = 0;
    unreachable = 0;
    latencies.clear();
  }

  private void assertReport(String file) throws IOException {
    Path path = REPORTS.resolve(file);
    if (Boolean.getBoolean("simulation.write")) {
      Files.writeString(path, report);
    }
    assertThat(report.toString()).isEqualTo(Files.readString(path));
  }
}
