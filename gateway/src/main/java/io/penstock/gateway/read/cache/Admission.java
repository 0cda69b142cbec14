package io.penstock.gateway.read.cache;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * What to keep and what to let go, by the rule of S3-FIFO (Yang et al., SOSP 2023): newcomers wait
 * in a short queue that gets a tenth of the weight; who is used again there moves to the main
 * queue, who is not is let go and remembered for a while, so that it comes straight to the main
 * queue if it returns. The main queue gives everybody who was used since its last turn another one.
 * A scan, whose items are used once, therefore passes through the short queue and leaves the main
 * one alone.
 *
 * <p>Threading: {@link Resident#use} from any thread and without a lock; everything else guarded by
 * the owner.
 */
final class Admission<R extends Admission.Resident> {
  private static final int MOST_USES = 3;
  private static final int SMALL_SHARE = 10;

  /** Something that is kept. */
  abstract static class Resident {
    private final long weight;
    private final long identity;
    private volatile int uses;
    private boolean main;
    private boolean gone;

    /**
     * @param identity the same for the same thing when it comes back later
     */
    Resident(long weight, long identity) {
      this.weight = weight;
      this.identity = identity;
    }

    /** Counts a use. Two threads may count as one: only none, one and several are told apart. */
    final void use() {
      int seen = uses;
      if (seen < MOST_USES) {
        uses = seen + 1;
      }
    }

    /** The next use does not count: the reader for whom this was fetched ahead. */
    final void discountFirstUse() {
      uses = -1;
    }

    /** Whether it was fetched ahead and nobody has come for it. */
    final boolean neverUsed() {
      return uses < 0;
    }

    final long weight() {
      return weight;
    }

    final long identity() {
      return identity;
    }

    final int uses() {
      return uses;
    }

    final void uses(int count) {
      uses = count;
    }

    final boolean inMain() {
      return main;
    }

    final void moveToMain() {
      main = true;
    }

    final boolean gone() {
      return gone;
    }

    final void leave() {
      gone = true;
    }
  }

  private final ArrayDeque<R> small = new ArrayDeque<>();
  private final ArrayDeque<R> main = new ArrayDeque<>();
  private final LinkedHashSet<Long> departed = new LinkedHashSet<>();
  private long smallWeight;
  private long mainWeight;
  private int residents;

  /** Takes a newcomer in. */
  void admit(R newcomer) {
    residents++;
    if (departed.remove(newcomer.identity())) {
      enter(newcomer);
    } else {
      small.addLast(newcomer);
      smallWeight += newcomer.weight();
    }
  }

  /** Chooses who leaves next and lets it go; empty when nobody is left. */
  Optional<R> evict() {
    while (true) {
      boolean fromSmall =
          !small.isEmpty() && (main.isEmpty() || smallWeight * SMALL_SHARE >= weight());
      R next = fromSmall ? small.pollFirst() : main.pollFirst();
      if (next == null) {
        return Optional.empty();
      }
      if (next.gone()) {
        continue;
      }
      leaveQueue(next);
      int uses = next.uses();
      if (uses > 0) {
        next.uses(fromSmall ? 0 : uses - 1);
        enter(next);
        continue;
      }
      if (fromSmall) {
        remember(next.identity());
      }
      next.leave();
      residents--;
      return Optional.of(next);
    }
  }

  /** Lets go of one that is no longer of use; does nothing if it has left already. */
  boolean remove(R resident) {
    if (resident.gone()) {
      return false;
    }
    leaveQueue(resident);
    resident.leave();
    residents--;
    compact(resident.inMain() ? main : small);
    return true;
  }

  long weight() {
    return smallWeight + mainWeight;
  }

  int residents() {
    return residents;
  }

  private void enter(R resident) {
    resident.moveToMain();
    main.addLast(resident);
    mainWeight += resident.weight();
  }

  private void leaveQueue(R resident) {
    if (resident.inMain()) {
      mainWeight -= resident.weight();
    } else {
      smallWeight -= resident.weight();
    }
  }

  /** Those that were removed stay in their queue until their turn, or until they are the most. */
  private void compact(ArrayDeque<R> queue) {
    if (queue.size() > 64 && queue.size() > 2 * residents) {
      queue.removeIf(Resident::gone);
    }
  }

  /** As many are remembered as there are residents, and always some. */
  private void remember(long identity) {
    departed.add(identity);
    while (departed.size() > Math.max(1024, residents)) {
      departed.removeFirst();
    }
  }
}
