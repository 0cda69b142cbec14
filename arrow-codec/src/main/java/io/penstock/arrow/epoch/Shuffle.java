package io.penstock.arrow.epoch;

import java.util.Objects;

/**
 * A permutation of {@code items} numbers, chosen by a seed and the number of the epoch, of which
 * any single value is reckoned in constant memory: a balanced Feistel network of {@value #ROUNDS}
 * rounds over the smallest even number of bits, at least 4, that holds every number, walked until
 * it comes back into range. Any implementation that follows the words below gives the same order.
 *
 * <pre>
 * all arithmetic is on 64 bits and wraps; &gt;&gt;&gt; fills with zeros
 * mix(z)  = SplitMix64's finaliser: z ^= z &gt;&gt;&gt; 30; z *= 0xBF58476D1CE4E5B9;
 *           z ^= z &gt;&gt;&gt; 27; z *= 0x94D049BB133111EB; z ^= z &gt;&gt;&gt; 31
 * G       = 0x9E3779B97F4A7C15
 * base    = mix(mix(seed + G) + (epoch + 1) * G)
 * key[r]  = mix(base + (r + 1) * G)                    for r = 0 .. 7
 * h       = the smallest number &gt;= 2 for which 2^(2h) &gt;= items
 * F(x)    = split x into left (upper h bits) and right (lower h bits);
 *           for r = 0 .. 7: (left, right) = (right, left ^ (mix(right + key[r]) &gt;&gt;&gt; (64 - h)));
 *           join them again
 * item(p) = F(p), and F of that, and so on, until the value is below items
 * </pre>
 *
 * Sources: Luby and Rackoff 1988 (Feistel permutations), Black and Rogaway 2002 (cycle walking),
 * Steele, Lea and Flood 2014 (SplitMix64).
 */
public final class Shuffle {
  private static final int ROUNDS = 8;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long items;
  private final int halfBits;
  private final long[] keys = new long[ROUNDS];

  /** The permutation of {@code items} numbers, at least 0 and at most 2^60. */
  public Shuffle(long items, long seed, long epoch) {
    if (items < 0 || items > 1L << 60) {
      throw new IllegalArgumentException("cannot shuffle " + items + " items");
    }
    this.items = items;
    int half = 2;
    while (1L << (2 * half) < items) {
      half++;
    }
    this.halfBits = half;
    long base = mix(mix(seed + GOLDEN) + (epoch + 1) * GOLDEN);
    for (int round = 0; round < ROUNDS; round++) {
      keys[round] = mix(base + (round + 1) * GOLDEN);
    }
  }

  public long items() {
    return items;
  }

  /**
   * The item at a position of the shuffled order.
   *
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long itemAt(long position) {
    long value = Objects.checkIndex(position, items);
    do {
      value = forward(value);
    } while (value >= items);
    return value;
  }

  /**
   * The position of an item in the shuffled order.
   *
   * @throws IndexOutOfBoundsException if there is no such item
   */
  public long positionOf(long item) {
    long value = Objects.checkIndex(item, items);
    do {
      value = backward(value);
    } while (value >= items);
    return value;
  }

  private long forward(long value) {
    long left = value >>> halfBits;
    long right = value & lowBits();
    for (long key : keys) {
      long next = left ^ (mix(right + key) >>> (Long.SIZE - halfBits));
      left = right;
      right = next;
    }
    return left << halfBits | right;
  }

  private long backward(long value) {
    long left = value >>> halfBits;
    long right = value & lowBits();
    for (int round = ROUNDS - 1; round >= 0; round--) {
      long previous = right ^ (mix(left + keys[round]) >>> (Long.SIZE - halfBits));
      right = left;
      left = previous;
    }
    return left << halfBits | right;
  }

  private long lowBits() {
    return (1L << halfBits) - 1;
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
