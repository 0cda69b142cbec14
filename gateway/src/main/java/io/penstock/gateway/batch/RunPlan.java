package io.penstock.gateway.batch;

import io.penstock.arrow.epoch.EpochPlan;
import io.penstock.arrow.epoch.EpochSpec;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.Delivery;
import io.penstock.arrow.wire.ItemList;
import java.util.NoSuchElementException;

/**
 * Which items come in which batches: those of the list in their order, or one rank's part of an
 * epoch from the batch at which it is resumed.
 *
 * <p>Threading: immutable.
 */
final class RunPlan {
  private static final EpochSpec ALL =
      new EpochSpec(new EpochSpec.Listed(), new EpochSpec.Share(0, 1), EpochSpec.Tail.KEEP, 0);

  private final ItemList items;
  private final EpochPlan order;
  private final int batchSize;
  private final boolean strict;

  private RunPlan(ItemList items, EpochPlan order, int batchSize, boolean strict) {
    this.items = items;
    this.order = order;
    this.batchSize = batchSize;
    this.strict = strict;
  }

  static RunPlan of(BatchRequest request, ItemList items) {
    int batchSize = request.delivery().batchSize();
    EpochPlan order = new EpochPlan(items.size(), batchSize, request.epoch().orElse(ALL));
    // a resumed epoch must have the same items in the same batches
    boolean strict =
        request.delivery().order() == Delivery.Order.STRICT || request.epoch().isPresent();
    return new RunPlan(items, order, batchSize, strict);
  }

  int batchSize() {
    return batchSize;
  }

  /** Whether each item has its row from the beginning, or takes the next one when it is there. */
  boolean strict() {
    return strict;
  }

  ItemList items() {
    return items;
  }

  /** Items that are sent. */
  long size() {
    return order.items() - Math.min(order.items(), order.firstBatch() * batchSize);
  }

  /** Rows of the batch that is sent as number {@code batch}, from 0. */
  int rows(long batch) {
    return order.size(order.firstBatch() + batch);
  }

  /**
   * The item that is sent as number {@code sequence}, from 0.
   *
   * @throws NoSuchElementException if there is none
   */
  PlannedItem item(long sequence) {
    if (sequence >= size()) {
      throw new NoSuchElementException("no item " + sequence + " of " + size());
    }
    long batch = order.firstBatch() + sequence / batchSize;
    int slot = (int) (sequence % batchSize);
    return new PlannedItem(
        sequence, order.position(batch, slot), items.get(Math.toIntExact(order.item(batch, slot))));
  }
}
