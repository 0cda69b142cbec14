package io.penstock.gateway.batch;

import java.util.Optional;

/**
 * One batch in the making: rows come in any order, and when all are there it becomes columns.
 *
 * <p>Threading: the event loop, except for {@link #seal}, which may be called on any one thread
 * after {@link #isComplete}.
 *
 * <p>Ownership: of everything that was put into it, until it is sealed or discarded.
 */
interface Assembly {

  int rows();

  /**
   * Takes the outcome of one item.
   *
   * @param progressed runs on the loop when the row is finished, perhaps before this returns
   */
  void put(int row, PlannedItem item, ItemOutcome outcome, Runnable progressed);

  boolean isComplete();

  /** Payload bytes that are held. */
  long bytes();

  /** The first row, in their order, that failed. */
  Optional<ItemOutcome.Missing> firstMissing();

  /** Rows that did not fail. */
  int present();

  /** Bytes to claim for {@link #seal}. */
  default long sealing() {
    return 0;
  }

  /**
   * The batch as it is written, which belongs to the caller now.
   *
   * @param claimed bytes that were claimed for it, and are used up whatever becomes of this
   */
  Sealed seal(long claimed);

  /** Gives everything back, as soon as nobody works on it any more. */
  void discard();
}
