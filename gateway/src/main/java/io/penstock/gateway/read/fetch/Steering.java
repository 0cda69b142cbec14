package io.penstock.gateway.read.fetch;

import io.penstock.gateway.read.plan.Growth;
import io.penstock.gateway.read.plan.RangePlanner;
import io.penstock.gateway.read.plan.Round;

/**
 * Measures the reading of one body in rounds, and keeps what the {@link RangePlanner} made of them.
 *
 * <p>Threading: the event loop of the body. All times are {@code nanoTime}s of one clock.
 */
final class Steering {
  private static final int LATENCIES_TO_CONNECT = 4;

  private final RangePlanner planner;
  private final long latencyNanos;
  private final long length;
  private Growth growth;
  private long partBytes;
  private long roundStart;
  private boolean waitsForBytes;
  private long bytes;
  private long pausedNanos;
  private long pausedAt;
  private boolean paused;
  private boolean shortOfRoom;

  /**
   * Begins with one connection.
   *
   * @param latencyNanos from a request to the head of its answer
   * @param length bytes of the whole body
   */
  Steering(RangePlanner planner, long latencyNanos, long length, long now) {
    this.planner = planner;
    this.latencyNanos = latencyNanos;
    this.length = length;
    this.growth = planner.begin();
    this.partBytes = planner.partBytes(0, latencyNanos);
    this.roundStart = now;
  }

  Growth growth() {
    return growth;
  }

  long partBytes() {
    return partBytes;
  }

  /** How far one connection gets in the time that a new one needs to bring its first bytes. */
  long headStart() {
    // connecting and TLS take up to three round trips more than a request
    double seconds = LATENCIES_TO_CONNECT * latencyNanos / 1e9;
    return (long) (single() * seconds);
  }

  /** How long a part should take. */
  long partNanos() {
    return latencyNanos + (long) (partBytes / Math.max(1, single()) * 1e9);
  }

  private double single() {
    return switch (growth) {
      case Growth.One one -> one.rate();
      case Growth.Trial trial -> trial.single();
      case Growth.Growing growing -> growing.single();
      case Growth.Settled settled -> settled.single();
    };
  }

  void arrived(long count, long now) {
    if (!waitsForBytes && now - roundStart > 0) {
      bytes += count;
    }
  }

  /** The round does not begin before the trial's own first bytes. */
  void awaitFirstBytes() {
    waitsForBytes = true;
  }

  /** The trial has its first bytes. */
  void firstBytes(long now) {
    if (waitsForBytes) {
      waitsForBytes = false;
      restart(now);
    }
  }

  void paused(long now) {
    if (!paused) {
      paused = true;
      pausedAt = now;
    }
  }

  void resumed(long now) {
    if (paused) {
      paused = false;
      pausedNanos += Math.max(0, now - Math.max(pausedAt, roundStart));
    }
  }

  void shortOfRoom() {
    shortOfRoom = true;
  }

  boolean isRoundOver(long now) {
    return !waitsForBytes
        && now - roundStart >= planner.roundNanos(growth, latencyNanos, partBytes);
  }

  /** The round is over, by time or because it cannot go on; says what follows. */
  Growth endRound(long position, int completeParts, long now) {
    long nanos = Math.max(1, now - roundStart);
    long pausedNow = paused ? Math.max(0, now - Math.max(pausedAt, roundStart)) : 0;
    Round round =
        new Round(
            waitsForBytes ? 0 : bytes * 1e9 / nanos,
            Math.min(1, (pausedNanos + pausedNow) / (double) nanos),
            completeParts,
            shortOfRoom,
            position,
            length);
    become(planner.after(growth, round, latencyNanos), now);
    return growth;
  }

  /** The store refused a part; says what follows. */
  Growth refused(long position, long now) {
    become(planner.refused(growth, position), now);
    return growth;
  }

  private void become(Growth next, long now) {
    if (next instanceof Growth.Trial trial) {
      partBytes = planner.partBytes(trial.single(), latencyNanos);
    }
    boolean wider = next.width() > growth.width();
    growth = next;
    waitsForBytes = false;
    // what was asked for just now has not begun to flow
    restart(wider ? now + latencyNanos + latencyNanos / 2 : now);
  }

  private void restart(long from) {
    roundStart = from;
    bytes = 0;
    pausedNanos = 0;
    shortOfRoom = false;
  }
}
