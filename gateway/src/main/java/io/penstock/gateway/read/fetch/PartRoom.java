package io.penstock.gateway.read.fetch;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import java.util.Optional;

/**
 * The connections and the memory that parts of all objects of one event loop may take. A part gets
 * its memory before it is asked for, so whatever arrives early has a place. Parts are a luxury:
 * they take memory only while half of the whole budget stays free for requests that need it, and a
 * fixed number of connections.
 *
 * <p>Threading: confined to one event loop; the budget behind it is shared.
 *
 * <p>Ownership: counts bytes, holds none.
 */
final class PartRoom {
  private final MemoryBudget budget;
  private final int mostConnections;
  private int connections;

  PartRoom(MemoryBudget budget, int mostConnections) {
    this.budget = budget;
    this.mostConnections = mostConnections;
  }

  /** Room for one part, or empty: then do without. */
  Optional<Place> take(long bytes) {
    if (connections >= mostConnections || budget.used() + bytes > budget.limit() / 2) {
      return Optional.empty();
    }
    Optional<Reservation> memory =
        budget.tryReserve(new MemoryClaim(MemoryArea.BODIES, bytes, "part of an object"));
    memory.ifPresent(_ -> connections++);
    return memory.map(Place::new);
  }

  int connections() {
    return connections;
  }

  /** The room of one part; both methods may be called more than once and in any order. */
  final class Place {
    private final Reservation memory;
    private boolean connected = true;
    private boolean held = true;

    private Place(Reservation memory) {
      this.memory = memory;
    }

    /** The connection is not used any more. */
    void disconnected() {
      if (connected) {
        connected = false;
        connections--;
      }
    }

    /** Nothing of the part waits in memory any more. */
    void emptied() {
      if (held) {
        held = false;
        memory.close();
      }
    }
  }
}
