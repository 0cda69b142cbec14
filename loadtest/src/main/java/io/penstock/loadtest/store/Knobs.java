package io.penstock.loadtest.store;

import java.time.Duration;

/**
 * How the store is slow: {@code firstByte} before each answer; at most {@code bytesPerSecond} on
 * each connection (0: no limit); and a share {@code stallShare} of requests that wait {@code stall}
 * in addition, drawn from {@code seed}.
 */
public record Knobs(
    Duration firstByte, long bytesPerSecond, double stallShare, Duration stall, long seed) {
  public static final Knobs FAST = new Knobs(Duration.ZERO, 0, 0, Duration.ZERO, 1);

  public Knobs {
    if (firstByte.isNegative() || stall.isNegative() || bytesPerSecond < 0) {
      throw new IllegalArgumentException("times and rates are 0 or more");
    }
    if (!(stallShare >= 0 && stallShare <= 1)) {
      throw new IllegalArgumentException("the share of stalled requests is between 0 and 1");
    }
  }
}
