package io.penstock.gateway.batch;

import io.penstock.arrow.wire.ItemStatus;

/** An item cannot be read, for the reason that its row will give. */
final class ItemFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient ItemStatus.Failed status;

  ItemFailedException(ItemStatus.Failed status) {
    super(status.message(), null, false, false);
    this.status = status;
  }

  ItemStatus.Failed status() {
    return status;
  }
}
