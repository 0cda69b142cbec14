package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.ColumnBody;
import java.util.List;
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

  /** The columns in the order of the schema, which belong to the caller now. */
  List<ColumnBody> seal();

  /** Gives everything back, as soon as nobody works on it any more. */
  void discard();
}
