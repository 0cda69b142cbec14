package io.penstock.loadtest.client;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.function.Function;

/**
 * Decides which request goes out when. Open loop: every arrival that is due goes to the lane that
 * has been idle longest; when none is idle it waits, and keeps its intended time. The schedule
 * itself is the queue, so an overloaded server costs no memory. Closed loop: an idle lane gets a
 * request at once.
 *
 * <p>Threading: one thread. Knows no clock: the caller says what time it is.
 */
final class Dispatcher {
  private final Optional<PrimitiveIterator.OfLong> arrivals;
  private final Function<Lane, Shot> shots;
  private final long origin;
  private final long end;
  private final ArrayDeque<Lane> idle = new ArrayDeque<>();
  private long next;

  /** Arrivals are offsets from {@code origin}; none that is due at or after {@code end} is sent. */
  Dispatcher(
      Optional<PrimitiveIterator.OfLong> arrivals,
      Function<Lane, Shot> shots,
      long origin,
      long end) {
    this.arrivals = arrivals;
    this.shots = shots;
    this.origin = origin;
    this.end = end;
    this.next = arrivals.map(offsets -> origin + offsets.nextLong()).orElse(Long.MIN_VALUE);
  }

  /** A lane is free; follow up with {@link #pump}. */
  void idle(Lane lane) {
    idle.add(lane);
  }

  /**
   * Sends all that is due at {@code now}.
   *
   * @return when to call again, or {@code Long.MAX_VALUE}: when a lane is idle
   */
  long pump(long now) {
    while (!idle.isEmpty() && next <= now && next < end && (arrivals.isPresent() || now < end)) {
      Lane lane = idle.remove();
      Shot shot = shots.apply(lane).dueAt(arrivals.isPresent() ? next : now);
      arrivals.ifPresent(offsets -> next = origin + offsets.nextLong());
      lane.send(shot);
    }
    return idle.isEmpty() || finished(now) ? Long.MAX_VALUE : next;
  }

  /** Whether nothing more will be sent. What was due before the end is sent late, but sent. */
  boolean finished(long now) {
    return arrivals.isPresent() ? next >= end : now >= end;
  }

  /**
   * The run is over: hands out the arrivals that were due before the end and never found a lane.
   */
  void unsent(java.util.function.LongConsumer intended) {
    arrivals.ifPresent(
        offsets -> {
          for (; next < end; next = origin + offsets.nextLong()) {
            intended.accept(next);
          }
        });
  }

  /** How many lanes wait for work. */
  int idleLanes() {
    return idle.size();
  }
}
