package io.penstock.arrow.ring;

import java.util.OptionalLong;

/**
 * The slots of the consumers, as the producer sees them. A consumer counts from its ticket on, and
 * until it gives it back or the producer writes the same number beside it.
 *
 * <p>Threading: the producer, or anybody who only looks.
 */
final class Readers {
  private final RingMemory memory;
  private final RingHost host;

  Readers(RingMemory memory, RingHost host) {
    this.memory = memory;
    this.host = host;
  }

  private boolean reads(long slot) {
    long ticket = memory.get(slot + RingLayout.SLOT_TICKET);
    return ticket != 0 && memory.get(slot + RingLayout.SLOT_CUT) != ticket;
  }

  int count() {
    int count = 0;
    for (int i = 0; i < RingLayout.SLOTS; i++) {
      count += reads(RingLayout.slot(i)) ? 1 : 0;
    }
    return count;
  }

  /** Whether fewer have joined than the owner has announced. */
  boolean areMissing() {
    return memory.get(RingLayout.OF_JOINED) < memory.word(RingLayout.OF_EXPECTED);
  }

  /** The first position that somebody still reads; none without readers. */
  OptionalLong oldest() {
    OptionalLong oldest = OptionalLong.empty();
    for (int i = 0; i < RingLayout.SLOTS; i++) {
      long slot = RingLayout.slot(i);
      if (reads(slot)) {
        long cursor = memory.get(slot + RingLayout.SLOT_CURSOR);
        oldest = OptionalLong.of(Math.min(cursor, oldest.orElse(cursor)));
      }
    }
    return oldest;
  }

  /** Waits no longer for those whose process has died; returns how many. */
  int cutDead() {
    int cut = 0;
    for (int i = 0; i < RingLayout.SLOTS; i++) {
      long slot = RingLayout.slot(i);
      if (reads(slot) && !host.lives(memory.process(slot + RingLayout.SLOT_PROCESS))) {
        cut(slot);
        cut++;
      }
    }
    return cut;
  }

  /** Waits no longer for those that have released nothing beyond {@code position}. */
  int cutSlow(long position) {
    int cut = 0;
    for (int i = 0; i < RingLayout.SLOTS; i++) {
      long slot = RingLayout.slot(i);
      if (reads(slot) && memory.get(slot + RingLayout.SLOT_CURSOR) <= position) {
        cut(slot);
        cut++;
      }
    }
    return cut;
  }

  private void cut(long slot) {
    memory.set(slot + RingLayout.SLOT_CUT, memory.get(slot + RingLayout.SLOT_TICKET));
  }
}
