package io.penstock.arrow.decode;

/**
 * The random numbers of one item: SplitMix64 (Steele, Lea, Flood 2014), started from the seed and
 * the item's number. Written out here because epochs must replay on every Java version.
 */
final class ItemRandom {

  private static final long STEP = 0x9e3779b97f4a7c15L;

  private long state;

  ItemRandom(long seed, long item) {
    // neighbouring seeds must not give the shifted sequence of neighbouring items
    state = mix(seed) ^ mix(item * STEP + 1);
  }

  /** Evenly from 0, below 1. */
  double fraction() {
    state += STEP;
    return (mix(state) >>> 11) * 0x1.0p-53;
  }

  /** Evenly from 0 to {@code bound} - 1. */
  int below(int bound) {
    return (int) (fraction() * bound);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
