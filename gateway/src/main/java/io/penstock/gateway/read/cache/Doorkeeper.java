package io.penstock.gateway.read.cache;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers objects for a while, in a table of fixed size. Forgets by overwriting.
 *
 * <p>Threading: any thread, no locks.
 */
final class Doorkeeper {
  private static final int TICK_BITS = 20;
  private static final long TICK_MASK = (1L << TICK_BITS) - 1;
  private static final int TICKS = 4096;

  private final AtomicLongArray slots;
  private final long tickNanos;

  /**
   * @param objects how many to remember, about
   * @param windowNanos how long, more than 0
   */
  Doorkeeper(int objects, long windowNanos) {
    this.slots = new AtomicLongArray(Integer.highestOneBit(Math.max(16, objects)) * 2);
    this.tickNanos = Math.max(1, windowNanos / TICKS);
  }

  /** Whether the object was noted within the window. */
  boolean has(ObjectName name, long nowNanos) {
    long fingerprint = name.fingerprint();
    long noted = slots.get(slot(fingerprint));
    return noted != 0
        && (noted & ~TICK_MASK) == fingerprint << TICK_BITS
        && ((tick(nowNanos) - noted) & TICK_MASK) <= TICKS;
  }

  void note(ObjectName name, long nowNanos) {
    long fingerprint = name.fingerprint();
    slots.set(slot(fingerprint), (fingerprint << TICK_BITS) | tick(nowNanos));
  }

  private long tick(long nowNanos) {
    return (nowNanos / tickNanos) & TICK_MASK;
  }

  private int slot(long fingerprint) {
    return (int) (fingerprint >>> 40) & (slots.length() - 1);
  }
}
