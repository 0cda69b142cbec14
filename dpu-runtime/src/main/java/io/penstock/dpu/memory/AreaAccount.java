package io.penstock.dpu.memory;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The books of one area: what is taken from the common pot, what from the area's own lifeline, and
 * who waits.
 *
 * <p>Threading: guarded by the lock of its {@link MemoryBudget}.
 */
final class AreaAccount {
  final MemoryArea area;
  final long ceiling;
  final long lifeline;

  long ordinaryUsed;
  long lifelineUsed;
  @Nullable Reservation lifelineHolder;

  // Reservations that want to grow go first: they hold bytes that those behind them wait for.
  private final SequencedSet<Waiter> growths = new LinkedHashSet<>();
  private final SequencedSet<Waiter> claims = new LinkedHashSet<>();
  private long waitingBytes;

  private long peak;
  private long granted;
  private long waited;
  private long refused;

  AreaAccount(MemoryArea area, MemorySplit.Share share) {
    this.area = area;
    this.ceiling = share.ceiling();
    this.lifeline = share.lifeline();
  }

  long used() {
    return ordinaryUsed + lifelineUsed;
  }

  /** The most one fresh claim can get: all ordinary bytes or all of the lifeline. */
  long largestClaim(long totalOrdinary) {
    return Math.max(Math.min(ceiling - lifeline, totalOrdinary), lifeline);
  }

  boolean fitsArea(long bytes) {
    return bytes <= ceiling - lifeline - ordinaryUsed;
  }

  /** One reservation at a time may live on the lifeline. */
  boolean fitsLifeline(Reservation reservation, long bytes) {
    return (lifelineHolder == null || lifelineHolder == reservation)
        && bytes <= lifeline - lifelineUsed;
  }

  void takeOrdinary(Reservation reservation, long bytes) {
    ordinaryUsed += bytes;
    reservation.ordinary += bytes;
    taken();
  }

  void takeLifeline(Reservation reservation, long bytes) {
    lifelineHolder = reservation;
    lifelineUsed += bytes;
    reservation.lifeline += bytes;
    taken();
  }

  private void taken() {
    granted++;
    peak = Math.max(peak, used());
  }

  /** Gives bytes back, those of the lifeline first; returns how many of them were ordinary. */
  long release(Reservation reservation, long bytes) {
    long fromLifeline = Math.min(bytes, reservation.lifeline);
    long fromOrdinary = bytes - fromLifeline;
    reservation.lifeline -= fromLifeline;
    reservation.ordinary -= fromOrdinary;
    lifelineUsed -= fromLifeline;
    ordinaryUsed -= fromOrdinary;
    if (lifelineHolder == reservation && reservation.lifeline == 0) {
      lifelineHolder = null;
    }
    return fromOrdinary;
  }

  void enqueue(Waiter waiter) {
    (waiter.isGrowth() ? growths : claims).add(waiter);
    waitingBytes += waiter.claim.bytes();
    waited++;
  }

  boolean dequeue(Waiter waiter) {
    boolean removed = (waiter.isGrowth() ? growths : claims).remove(waiter);
    if (removed) {
      waitingBytes -= waiter.claim.bytes();
    }
    return removed;
  }

  @Nullable Waiter head() {
    if (!growths.isEmpty()) {
      return growths.getFirst();
    }
    return claims.isEmpty() ? null : claims.getFirst();
  }

  boolean nobodyWaits() {
    return growths.isEmpty() && claims.isEmpty();
  }

  void countRefusal() {
    refused++;
  }

  AreaUsage usage() {
    return new AreaUsage(
        used(),
        ceiling,
        peak,
        growths.size() + claims.size(),
        waitingBytes,
        granted,
        waited,
        refused);
  }
}
