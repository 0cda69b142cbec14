package io.penstock.arrow.wire;

import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.ipc.FixedColumn;
import io.penstock.arrow.ipc.Utf8Column;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a batch that every item has, in the making: a row is added when an item is done,
 * its payload goes into columns of its own in the same order.
 *
 * <p>Threading: one thread.
 */
public final class ItemColumns {
  private final LabelType labels;
  private final FixedColumn index = FixedColumn.int64();
  private final Utf8Column key = new Utf8Column();
  private final Utf8Column member = new Utf8Column();
  private final Utf8Column version = new Utf8Column();
  private final Utf8Column etag = new Utf8Column();
  private final FixedColumn size = FixedColumn.int64();
  private final FixedColumn status = FixedColumn.int16();
  private final Utf8Column code = new Utf8Column();
  private final Utf8Column message = new Utf8Column();
  private final FixedColumn number;
  private final Utf8Column text = new Utf8Column();
  private int rows;

  /** Columns of a stream whose labels have that type. */
  public ItemColumns(LabelType labels) {
    this.labels = labels;
    this.number = labels == LabelType.FLOAT64 ? FixedColumn.float64() : FixedColumn.int64();
  }

  /**
   * Adds an item; a label of another type than the column's is an {@link IllegalStateException}.
   */
  public void add(ItemHead head, ItemStatus outcome, Label label) {
    index.add(head.index());
    key.add(head.key());
    member.add(head.member());
    version.add(head.versionId());
    etag.add(head.etag());
    head.size().ifPresentOrElse(size::add, size::addNull);
    status.add(outcome.http());
    switch (outcome) {
      case ItemStatus.Ok _ -> {
        code.addNull();
        message.addNull();
      }
      case ItemStatus.Failed failed -> {
        code.add(failed.code());
        message.add(failed.message());
      }
    }
    add(label);
    rows++;
  }

  private void add(Label label) {
    switch (label) {
      case Label.None _ -> {
        number.addNull();
        text.addNull();
      }
      case Label.Whole(long value) when labels == LabelType.INT64 -> number.add(value);
      case Label.Whole(long value) when labels == LabelType.FLOAT64 ->
          number.addDouble((double) value);
      case Label.Real(double value) when labels == LabelType.FLOAT64 -> number.addDouble(value);
      case Label.Text(String value) when labels == LabelType.UTF8 -> text.add(value);
      default -> throw new IllegalStateException(label + " in a column of " + labels);
    }
  }

  public int rows() {
    return rows;
  }

  /** All columns of the batch in the order of {@link BatchSchema}: these, then the payload. */
  public List<ColumnBody> with(List<ColumnBody> payload) {
    List<ColumnBody> columns = new ArrayList<>();
    for (Utf8Column column : List.of(key, member, version, etag)) {
      columns.add(column.body());
    }
    columns.addFirst(index.body());
    columns.add(size.body());
    columns.add(status.body());
    columns.add(code.body());
    columns.add(message.body());
    switch (labels) {
      case NONE -> {}
      case INT64, FLOAT64 -> columns.add(number.body());
      case UTF8 -> columns.add(text.body());
    }
    columns.addAll(payload);
    return columns;
  }
}
