package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.BinaryColumn;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.LabelType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A batch of objects as they are, in the buffers in which they came. */
final class RawAssembly implements Assembly {
  private final Rows rows;
  private final @Nullable List<NettyPart>[] payload;
  private long bytes;

  @SuppressWarnings({"unchecked", "rawtypes"})
  RawAssembly(int size, LabelType labels) {
    this.rows = new Rows(size, labels);
    this.payload = new List[size];
  }

  @Override
  public int rows() {
    return rows.size();
  }

  @Override
  public void put(int row, PlannedItem item, ItemOutcome outcome, Runnable progressed) {
    switch (outcome) {
      case ItemOutcome.Read read -> {
        rows.add(row, read.head(), ItemStatus.OK, item.item().label());
        payload[row] = read.parts();
        bytes += read.bytes();
      }
      case ItemOutcome.Missing(var head, var status) ->
          rows.add(row, head, status, item.item().label());
    }
    progressed.run();
  }

  @Override
  public boolean isComplete() {
    return rows.isComplete();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public Optional<ItemOutcome.Missing> firstMissing() {
    return rows.firstMissing();
  }

  @Override
  public int present() {
    return rows.present();
  }

  @Override
  public Sealed seal(long claimed) {
    long held = bytes;
    BinaryColumn column = new BinaryColumn();
    for (int row = 0; row < payload.length; row++) {
      List<NettyPart> parts = payload[row];
      payload[row] = null;
      if (parts == null) {
        column.addNull();
      } else {
        column.add(parts);
      }
    }
    return new Sealed(rows.size(), held, rows.columns(column.body()));
  }

  @Override
  public void discard() {
    for (int row = 0; row < payload.length; row++) {
      List<NettyPart> parts = payload[row];
      payload[row] = null;
      if (parts != null) {
        parts.forEach(NettyPart::release);
      }
    }
  }
}
