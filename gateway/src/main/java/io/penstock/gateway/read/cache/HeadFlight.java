package io.penstock.gateway.read.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * A first read of an object whose answer has not begun yet. Reads of the same bytes wait for its
 * head, then look again: by then the bytes are on their way into the cache, or they ask the store
 * themselves. A read that fails or is cancelled therefore fails nobody else.
 *
 * <p>Threading: any thread.
 */
final class HeadFlight {

  /** Reads are the same if they begin at the same byte. */
  record Key(ObjectName name, long first) {}

  private record Follower(Executor executor, Consumer<Boolean> look) {}

  private final List<Follower> followers = new ArrayList<>(0);
  private boolean landed;

  /**
   * Runs {@code look} on {@code executor} with whether there is a head, once that is known; false
   * if it is already.
   */
  synchronized boolean join(Executor executor, Consumer<Boolean> look) {
    if (!landed) {
      followers.add(new Follower(executor, look));
    }
    return !landed;
  }

  synchronized boolean isFollowed() {
    return !followers.isEmpty();
  }

  /**
   * The head is here, or will not come.
   *
   * @param well whether it is here
   */
  void land(boolean well) {
    List<Follower> ready;
    synchronized (this) {
      landed = true;
      ready = List.copyOf(followers);
      followers.clear();
    }
    for (Follower follower : ready) {
      try {
        follower.executor.execute(() -> follower.look.accept(well));
      } catch (RejectedExecutionException gone) {
        // its event loop has ended, and its reader with it
      }
    }
  }
}
