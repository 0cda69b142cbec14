package io.penstock.gateway.batch;

import io.penstock.arrow.wire.ItemHead;
import io.penstock.arrow.wire.ItemStatus;
import java.util.List;

/** What became of the reading of one item. */
sealed interface ItemOutcome {
  ItemHead head();

  /**
   * The bytes are here; whoever holds this releases every part.
   *
   * @param made whether they are not the object's, but what becomes of it
   */
  record Read(ItemHead head, List<NettyPart> parts, boolean made) implements ItemOutcome {
    long bytes() {
      long bytes = 0;
      for (NettyPart part : parts) {
        bytes += part.bytes();
      }
      return bytes;
    }

    void release() {
      parts.forEach(NettyPart::release);
    }
  }

  /** There are none, and this is why. */
  record Missing(ItemHead head, ItemStatus.Failed status) implements ItemOutcome {}
}
