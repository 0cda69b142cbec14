package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an operator sees of a gateway: its admin port. */
final class Probe {
  private static final long POLL_NANOS = 2_000_000;
  private static final int STILL = 20;
  private final URI admin;

  Probe(URI admin) {
    this.admin = admin;
  }

  Answer get(String path) {
    try (RawClient client = new RawClient(admin)) {
      return client.send("GET " + path + " HTTP/1.1\r\nHost: admin\r\n\r\n").read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The sum of all samples of this metric whose labels contain all of {@code labels}. */
  double metric(String name, String... labels) {
    double sum = 0;
    Matcher sample =
        Pattern.compile("(?m)^" + name + "(\\{[^}]*})? ([-+.eE0-9]+)")
            .matcher(get("/metrics").text());
    while (sample.find()) {
      String found = String.valueOf(sample.group(1));
      if (List.of(labels).stream().allMatch(found::contains)) {
        sum += Double.parseDouble(sample.group(2));
      }
    }
    return sum;
  }

  void awaitMetric(double value, String name, String... labels) {
    await(name + List.of(labels) + " to be " + value, () -> metric(name, labels) == value);
  }

  /** Waits until so many looks in a row find the same value that whatever moved it has stopped. */
  void awaitStill(String name) {
    double[] last = {Double.NaN};
    int[] same = {0};
    await(
        name + " to stand still",
        () -> {
          double now = metric(name);
          same[0] = now == last[0] ? same[0] + 1 : 0;
          last[0] = now;
          return same[0] == STILL;
        });
  }

  /** Every request answered, every byte of the budget given back. */
  void awaitQuiet() {
    awaitMetric(0, "penstock_requests_in_flight");
    // what the cache keeps is meant to stay
    for (String area : List.of("bodies", "batches", "models")) {
      awaitMetric(0, "penstock_memory_reserved_bytes", "area=\"" + area + "\"");
    }
    awaitMetric(0, "penstock_memory_waiting");
    // a name that nobody declares any more would be zero, too
    assertThat(get("/metrics").text())
        .contains("\npenstock_requests_in_flight ")
        .contains("\npenstock_memory_reserved_bytes{area=\"bodies\"}")
        .contains("\npenstock_memory_waiting{area=\"bodies\"}");
  }

  /** Waits until something that another thread does has happened; only a failing test times out. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Gate.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain for " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
