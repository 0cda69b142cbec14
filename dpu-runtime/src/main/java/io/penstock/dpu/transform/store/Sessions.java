package io.penstock.dpu.transform.store;

import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.transform.onnx.PrefixSession;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Open sessions, by model and split: lent to many at once, kept when idle, closed in the order in
 * which they were last used.
 *
 * <p>Threading: any thread; building a session blocks others that want to build one, and nobody
 * else.
 *
 * <p>Ownership: of each session and of the reservation it stands for.
 */
final class Sessions implements AutoCloseable {
  private final Object lock = new Object();
  private final ReentrantLock building = new ReentrantLock();
  private final Map<Key, Lent> used = new HashMap<>();
  private final LinkedHashMap<Key, Lent> idle = new LinkedHashMap<>();
  private boolean closed;

  /** Which session. */
  record Key(String sha256, String cut) {}

  /** A session with the memory reserved for it. */
  record Held(PrefixSession session, Reservation reservation) {
    void close() {
      session.close();
      reservation.close();
    }
  }

  /** A session in somebody's hands. */
  static final class Lent {
    private final Key key;
    private final Held held;
    private int borrowers;

    Lent(Key key, Held held) {
      this.key = key;
      this.held = held;
    }

    PrefixSession session() {
      return held.session();
    }
  }

  /**
   * Lends the session of {@code key}, built if there is none; give it back with {@link #giveBack}.
   */
  Lent borrow(Key key, Supplier<Held> build) {
    Lent ready = find(key);
    if (ready != null) {
      return ready;
    }
    building.lock();
    try {
      Lent built = find(key);
      if (built != null) {
        return built;
      }
      Lent lent = new Lent(key, build.get());
      synchronized (lock) {
        lent.borrowers = 1;
        used.put(key, lent);
      }
      return lent;
    } finally {
      building.unlock();
    }
  }

  void giveBack(Lent lent) {
    boolean over;
    synchronized (lock) {
      over = --lent.borrowers == 0;
      if (over) {
        used.remove(lent.key);
        if (!closed) {
          idle.put(lent.key, lent);
        }
      }
      over &= closed;
    }
    if (over) {
      lent.held.close();
    }
  }

  /** Closes the session that has been idle longest; false if none is. */
  boolean evictIdle() {
    Lent oldest;
    synchronized (lock) {
      Iterator<Lent> lents = idle.values().iterator();
      if (!lents.hasNext()) {
        return false;
      }
      oldest = lents.next();
      lents.remove();
    }
    oldest.held.close();
    return true;
  }

  int count() {
    synchronized (lock) {
      return used.size() + idle.size();
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    while (evictIdle()) {
      // until none is left
    }
  }

  private @org.jspecify.annotations.Nullable Lent find(Key key) {
    synchronized (lock) {
      if (closed) {
        throw new IllegalStateException("the model store is closed");
      }
      Lent lent = used.get(key);
      if (lent == null) {
        lent = idle.remove(key);
        if (lent != null) {
          used.put(key, lent);
        }
      }
      if (lent != null) {
        lent.borrowers++;
      }
      return lent;
    }
  }
}
