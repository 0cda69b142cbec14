package io.penstock.sink.arena;

/**
 * When a region's bytes may be read.
 *
 * <p>Threading: any thread may ask and wait.
 */
public interface Readiness {
  /** Memory of the host holds what was written as soon as it was. */
  Readiness NOW =
      new Readiness() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void await() {}

        @Override
        public long eventAddress() {
          return 0;
        }
      };

  /** Whether the bytes have arrived. */
  boolean isReady();

  /**
   * Returns when the bytes have arrived.
   *
   * @throws ArenaException if they never will
   */
  void await();

  /**
   * Address of a word that holds the {@code CUevent} a device waits for before it reads, valid
   * until the region is closed; 0 if there is nothing to wait for. This is what {@code sync_event}
   * of Arrow's C Device Data Interface points to.
   */
  long eventAddress();
}
