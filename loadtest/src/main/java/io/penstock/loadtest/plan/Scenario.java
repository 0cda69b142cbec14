package io.penstock.loadtest.plan;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One load test, checked and complete: what is asked for, when, over which connections and for how
 * long. The target and the keys to sign with are not part of it, so that the same scenario runs
 * against every peer.
 */
public record Scenario(
    String name,
    String description,
    Weighted<Operation> workload,
    Objects objects,
    Arrivals arrivals,
    Connections connections,
    Timing timing,
    long seed) {

  /**
   * The objects: {@code count} of each size, named {@code SIZE-N}, in one bucket. {@code zipf} 0
   * draws them uniformly; {@code range} is the length of one ranged read.
   */
  public record Objects(
      String bucket, Weighted<Long> sizes, int count, double zipf, long range, Payload payload) {
    /** The key of the {@code n}-th object of {@code size} bytes. */
    public static String key(long size, int n) {
      return size + "-" + n;
    }
  }

  /** How the body of a PUT is signed. */
  public enum Payload {
    UNSIGNED,
    /** The SHA-256 of the whole body in the request's signature. */
    SIGNED,
    /** aws-chunked with a signature per chunk. */
    CHUNKS_SIGNED,
    /** aws-chunked with a signature per chunk and a signed CRC32 trailer. */
    CHUNKS_TRAILER,
    /** aws-chunked without chunk signatures and with a CRC32 trailer: today's SDK default. */
    UNSIGNED_TRAILER;

    /** As scenario files write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** When requests are sent. */
  public sealed interface Arrivals {
    /** Every connection always has one request under way: for CPU per byte. */
    record Closed() implements Arrivals {}

    /** Requests are due on a schedule, whatever the server does: for latency. */
    record Open(ArrivalSchedule schedule) implements Arrivals {}
  }

  /** {@code streams} are requests at once on each connection, above 1 only with HTTP/2. */
  public record Connections(int count, Http http, int streams, int threads) {
    /** The protocol; HTTP/2 without TLS starts with prior knowledge. */
    public enum Http {
      HTTP_1,
      HTTP_2
    }

    /** Requests that may be under way at once. */
    public int lanes() {
      return count * streams;
    }
  }

  /** {@code grace} is how long the run waits for the answers still missing at its end. */
  public record Timing(Duration warmup, Duration duration, Duration grace) {}

  /** This scenario with other times. */
  public Scenario lasting(Duration warmup, Duration duration) {
    var times = new Timing(warmup, duration, timing.grace());
    return new Scenario(name, description, workload, objects, arrivals, connections, times, seed);
  }

  /** This scenario with other arrivals. */
  public Scenario arriving(Arrivals others) {
    return new Scenario(name, description, workload, objects, others, connections, timing, seed);
  }

  /** This scenario over other connections. */
  public Scenario over(Connections others) {
    return new Scenario(name, description, workload, objects, arrivals, others, timing, seed);
  }

  /** The operations that occur. */
  public List<Operation> operations() {
    return workload.values();
  }
}
