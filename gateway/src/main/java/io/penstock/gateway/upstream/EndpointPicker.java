package io.penstock.gateway.upstream;

import io.penstock.gateway.upstream.wire.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the endpoint of a try: the least loaded of the healthy ones. An endpoint that refuses
 * connections, or fails several times in a row, is left out for a time that doubles with each
 * relapse; then one single call probes it. If none is healthy the one that comes back first is used
 * all the same: refusing everybody helps nobody.
 *
 * <p>Threading: confined to one event loop.
 */
final class EndpointPicker {
  private static final int FAILURES_IN_A_ROW = 5;
  private static final long SHORTEST_EJECTION = Duration.ofSeconds(1).toNanos();
  private static final int MOST_DOUBLINGS = 6;

  private final List<Member> members;
  private final Timeline timeline;
  private final UpstreamObserver observer;
  private int turn;

  /** One endpoint, the channel to it, and the calls it has at the moment. */
  static final class Member {
    private final Endpoint endpoint;
    private final UpstreamChannel channel;
    private final IntSupplier load;
    private int failures;
    private int relapses;
    private boolean ejected;
    private boolean probing;
    private long ejectedUntil;

    Member(Endpoint endpoint, UpstreamChannel channel, IntSupplier load) {
      this.endpoint = endpoint;
      this.channel = channel;
      this.load = load;
    }

    UpstreamChannel channel() {
      return channel;
    }
  }

  EndpointPicker(List<Member> members, Timeline timeline, UpstreamObserver observer) {
    this.members = List.copyOf(members);
    this.timeline = timeline;
    this.observer = observer;
  }

  /**
   * The endpoint for one try; report what became of it with {@link #succeeded}, {@link #failed} or
   * {@link #gaveUp}.
   *
   * @param preferred is chosen while it is healthy
   */
  Member pick(Optional<Endpoint> preferred) {
    long now = timeline.nanoTime();
    Member best = null;
    turn = (turn + 1) % members.size();
    for (int i = 0; i < members.size(); i++) {
      // equals take turns
      Member member = members.get((turn + i) % members.size());
      if (isAvailable(member, now) && isBetter(member, best, preferred)) {
        best = member;
      }
    }
    Member chosen = best == null ? backFirst() : best;
    chosen.probing = chosen.ejected;
    return chosen;
  }

  private boolean isAvailable(Member member, long now) {
    return !member.ejected || (!member.probing && now - member.ejectedUntil >= 0);
  }

  private static boolean isBetter(
      Member member, @Nullable Member best, Optional<Endpoint> preferred) {
    if (best == null || member.ejected != best.ejected) {
      // a probe that is due comes first, else nobody would ever find out
      return best == null || member.ejected;
    }
    boolean wanted = preferred.isPresent() && preferred.get().equals(member.endpoint);
    boolean bestWanted = preferred.isPresent() && preferred.get().equals(best.endpoint);
    if (wanted != bestWanted) {
      return wanted;
    }
    return member.load.getAsInt() < best.load.getAsInt();
  }

  private Member backFirst() {
    Member first = members.getFirst();
    for (Member member : members) {
      if (member.ejectedUntil - first.ejectedUntil < 0) {
        first = member;
      }
    }
    return first;
  }

  /** The endpoint answered, and not with a fault of its own. */
  void succeeded(Member member) {
    member.failures = 0;
    member.relapses = 0;
    member.probing = false;
    if (member.ejected) {
      member.ejected = false;
      observer.restored(member.endpoint.toString());
    }
  }

  /**
   * The endpoint failed.
   *
   * @param refused nobody is there; once is enough
   */
  void failed(Member member, boolean refused) {
    member.failures++;
    long now = timeline.nanoTime();
    boolean relapse = member.ejected && member.probing && now - member.ejectedUntil >= 0;
    member.probing = false;
    if (members.size() > 1
        && (relapse || (!member.ejected && (refused || member.failures >= FAILURES_IN_A_ROW)))) {
      member.ejectedUntil = now + (SHORTEST_EJECTION << member.relapses);
      member.relapses = Math.min(MOST_DOUBLINGS, member.relapses + 1);
      member.failures = 0;
      if (!member.ejected) {
        member.ejected = true;
        observer.ejected(member.endpoint.toString());
      }
    }
  }

  /** The try says nothing about the endpoint (cancelled, refused by our own limit). */
  void gaveUp(Member member) {
    member.probing = false;
  }

  @Override
  public String toString() {
    return members.stream()
        .map(member -> member.channel + (member.ejected ? " ejected" : ""))
        .toList()
        .toString();
  }
}
