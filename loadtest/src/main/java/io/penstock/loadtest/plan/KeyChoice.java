package io.penstock.loadtest.plan;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Which of {@code n} objects is asked for next. {@code exponent} 0 is uniform; above it, object
 * {@code k} is drawn with probability proportional to {@code 1 / (k + 1)^exponent} (Zipf), which is
 * how a few hot objects look to a cache.
 *
 * <p>Threading: immutable; the random source is the caller's.
 */
public final class KeyChoice {
  private final int count;
  private final double[] cumulative;

  public KeyChoice(int count, double exponent) {
    if (count < 1 || exponent < 0) {
      throw new IllegalArgumentException("keys: count " + count + ", exponent " + exponent);
    }
    this.count = count;
    this.cumulative = exponent == 0 ? new double[0] : zipf(count, exponent);
  }

  private static double[] zipf(int count, double exponent) {
    double[] sums = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      sums[i] = sum;
    }
    for (int i = 0; i < count; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  /** The next object, from 0 to count - 1. */
  public int next(SplittableRandom random) {
    if (cumulative.length == 0) {
      return random.nextInt(count);
    }
    int found = Arrays.binarySearch(cumulative, random.nextDouble());
    return Math.min(count - 1, found >= 0 ? found : -found - 1);
  }
}
