package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.wire.ItemColumns;
import io.penstock.arrow.wire.ItemHead;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.Label;
import io.penstock.arrow.wire.LabelType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What every row of a batch has beside its payload, by row. */
final class Rows {
  private record Row(ItemHead head, ItemStatus status, Label label) {}

  private final LabelType labels;
  private final @Nullable Row[] rows;
  private int filled;
  private int present;

  Rows(int size, LabelType labels) {
    this.labels = labels;
    this.rows = new Row[size];
  }

  int size() {
    return rows.length;
  }

  boolean isComplete() {
    return filled == rows.length;
  }

  int present() {
    return present;
  }

  void add(int row, ItemHead head, ItemStatus status, Label label) {
    if (rows[row] != null) {
      throw new IllegalStateException("row " + row + " is taken");
    }
    rows[row] = new Row(head, status, label);
    filled++;
    present += status instanceof ItemStatus.Ok ? 1 : 0;
  }

  Optional<ItemOutcome.Missing> firstMissing() {
    for (Row row : rows) {
      if (row != null && row.status instanceof ItemStatus.Failed failed) {
        return Optional.of(new ItemOutcome.Missing(row.head, failed));
      }
    }
    return Optional.empty();
  }

  /** All columns: those of the items, then the payload. */
  List<ColumnBody> columns(ColumnBody payload) {
    int[] once = new int[rows.length];
    Arrays.fill(once, 1);
    return columns(once, List.of(payload));
  }

  /** The same for items that have several rows, or none, of the payload. */
  List<ColumnBody> columns(int[] repeats, List<ColumnBody> payload) {
    ItemColumns columns = new ItemColumns(labels);
    for (int i = 0; i < rows.length; i++) {
      Row row = rows[i];
      if (row == null) {
        throw new IllegalStateException("the batch is not complete");
      }
      for (int n = 0; n < repeats[i]; n++) {
        columns.add(row.head, row.status, row.label);
      }
    }
    return columns.with(payload);
  }
}
