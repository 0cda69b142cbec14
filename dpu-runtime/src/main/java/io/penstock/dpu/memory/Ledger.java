package io.penstock.dpu.memory;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The books of a {@link MemoryBudget}: decides who gets bytes, and in which order.
 *
 * <p>Threading: guarded by the budget's lock.
 */
final class Ledger {
  private final Map<MemoryArea, AreaAccount> accounts = new EnumMap<>(MemoryArea.class);
  private final Set<Reservation> live = new LinkedHashSet<>();
  private final long totalOrdinary;
  private long ordinaryUsed;
  private int waiting;
  // some waiter fits its area but not the total: nobody may overtake it
  private boolean totalIsAwaited;

  Ledger(MemorySplit split) {
    long ordinary = split.total();
    for (MemoryArea area : MemoryArea.values()) {
      AreaAccount account = new AreaAccount(area, split.share(area));
      accounts.put(area, account);
      ordinary -= account.lifeline;
    }
    this.totalOrdinary = ordinary;
  }

  AreaAccount account(MemoryArea area) {
    AreaAccount account = accounts.get(area);
    if (account == null) {
      throw new IllegalStateException("no account for " + area);
    }
    return account;
  }

  /** The most that one claim on {@code area} can ever get. */
  long largestClaim(MemoryArea area) {
    return account(area).largestClaim(totalOrdinary);
  }

  long used() {
    long used = 0;
    for (AreaAccount account : accounts.values()) {
      used += account.used();
    }
    return used;
  }

  int waiting() {
    return waiting;
  }

  List<Reservation> live() {
    return List.copyOf(live);
  }

  /** Takes without overtaking anybody; the lifeline's holder may draw on it in any case. */
  boolean tryTake(Reservation reservation, long bytes) {
    AreaAccount account = account(reservation.area);
    boolean first = account.nobodyWaits();
    if (first && !totalIsAwaited && account.fitsArea(bytes) && fitsTotal(bytes)) {
      takeOrdinary(account, reservation, bytes);
      return true;
    }
    boolean entitled = first || account.lifelineHolder == reservation;
    if (entitled && account.fitsLifeline(reservation, bytes)) {
      account.takeLifeline(reservation, bytes);
      live.add(reservation);
      return true;
    }
    return false;
  }

  void enqueue(Waiter waiter) {
    account(waiter.claim.area()).enqueue(waiter);
    waiting++;
  }

  void leaveQueue(Waiter waiter) {
    if (account(waiter.claim.area()).dequeue(waiter)) {
      waiting--;
    }
  }

  /** Gives back up to {@code bytes}. */
  void release(Reservation reservation, long bytes) {
    long held = reservation.ordinary + reservation.lifeline;
    ordinaryUsed -= account(reservation.area).release(reservation, Math.min(bytes, held));
  }

  void close(Reservation reservation) {
    release(reservation, Long.MAX_VALUE);
    reservation.closed = true;
    live.remove(reservation);
  }

  /** Whether bytes of the cache are what this claim lacks, and not room in its own area. */
  boolean cacheMayHelp(MemoryClaim claim) {
    AreaAccount account = account(claim.area());
    return claim.area() != MemoryArea.CACHE
        && account.nobodyWaits()
        && account.fitsArea(claim.bytes());
  }

  /** Grants what can be granted, in order of arrival; returns who is to be told. */
  Turn settle() {
    totalIsAwaited = false;
    if (waiting == 0) {
      return Turn.NONE;
    }
    long wantedOfCache = 0;
    List<Waiter> ready = new ArrayList<>();
    List<AreaAccount> stuck = new ArrayList<>(accounts.size());
    for (Waiter head = nextHead(stuck); head != null; head = nextHead(stuck)) {
      AreaAccount account = account(head.claim.area());
      if (takeInTurn(account, head)) {
        leaveQueue(head);
        ready.add(head);
      } else {
        stuck.add(account);
        wantedOfCache += firstAskedOfCache(account, head);
      }
    }
    return new Turn(ready, wantedOfCache);
  }

  private boolean takeInTurn(AreaAccount account, Waiter head) {
    long bytes = head.claim.bytes();
    if (account.fitsArea(bytes) && fitsTotal(bytes) && !totalIsAwaited) {
      takeOrdinary(account, head.reservation, bytes);
      return true;
    }
    if (account.fitsLifeline(head.reservation, bytes)) {
      account.takeLifeline(head.reservation, bytes);
      live.add(head.reservation);
      return true;
    }
    totalIsAwaited |= account.fitsArea(bytes);
    return false;
  }

  /** A claim that is stuck for the common total asks the cache once, however long it waits. */
  private static long firstAskedOfCache(AreaAccount account, Waiter head) {
    long bytes = head.claim.bytes();
    if (head.askedCache || account.area == MemoryArea.CACHE || !account.fitsArea(bytes)) {
      return 0;
    }
    head.askedCache = true;
    return bytes;
  }

  private @Nullable Waiter nextHead(List<AreaAccount> stuck) {
    Waiter first = null;
    for (AreaAccount account : accounts.values()) {
      Waiter head = stuck.contains(account) ? null : account.head();
      if (head != null && (first == null || head.sequence < first.sequence)) {
        first = head;
      }
    }
    return first;
  }

  private void takeOrdinary(AreaAccount account, Reservation reservation, long bytes) {
    account.takeOrdinary(reservation, bytes);
    ordinaryUsed += bytes;
    live.add(reservation);
  }

  private boolean fitsTotal(long bytes) {
    return bytes <= totalOrdinary - ordinaryUsed;
  }
}
