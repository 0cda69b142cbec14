package io.penstock.gateway.upstream;

/**
 * How long recent answers of one kind took, as quantiles. Times fall into buckets an eighth of an
 * octave wide, so a quantile is at most 12.5 % above the true one; once {@link #MEMORY} times are
 * in, all counts are halved, so that old times fade.
 *
 * <p>Threading: confined to one event loop.
 */
final class RecentLatencies {
  static final int MEMORY = 1000;
  private static final int STEPS = 3;
  private static final int BUCKETS = (Long.SIZE - STEPS) << STEPS;

  private final int[] counts = new int[BUCKETS];
  private int total;

  void add(long nanos) {
    counts[bucket(Math.max(0, nanos))]++;
    total++;
    if (total >= MEMORY) {
      total = 0;
      for (int i = 0; i < BUCKETS; i++) {
        counts[i] /= 2;
        total += counts[i];
      }
    }
  }

  /** How many times are remembered. */
  int size() {
    return total;
  }

  /**
   * A time that a share {@code q} of the recent ones did not exceed.
   *
   * @param q above 0, at most 1; nothing may be asked before a time was added
   */
  long quantile(double q) {
    long wanted = (long) Math.ceil(q * total);
    long seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      seen += counts[i];
      if (seen >= wanted && counts[i] > 0) {
        return top(i);
      }
    }
    throw new IllegalStateException("no quantile " + q + " of " + total + " times");
  }

  private static int bucket(long nanos) {
    int octave = Long.SIZE - Long.numberOfLeadingZeros(nanos >> STEPS);
    if (octave == 0) {
      return (int) nanos;
    }
    // the leading one is the octave's own bit; the next three say which step of it
    long step = (nanos >> (octave - 1)) & ((1 << STEPS) - 1);
    return (octave << STEPS) + (int) step;
  }

  /** The largest time of a bucket. */
  private static long top(int bucket) {
    int octave = bucket >> STEPS;
    long step = bucket & ((1 << STEPS) - 1);
    if (octave == 0) {
      return step;
    }
    return (((1L << STEPS) + step + 1) << (octave - 1)) - 1;
  }
}
