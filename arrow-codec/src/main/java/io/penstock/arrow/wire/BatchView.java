package io.penstock.arrow.wire;

import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.ipc.ReceivedColumn;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.tensor.TensorSpec;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * A received batch by its meaning: items, their outcome, their labels. Payload columns are taken
 * from the batch itself by their name.
 *
 * <p>Threading: any number of readers, as the batch.
 *
 * <p>Ownership: of nothing; the batch stays with who closes it.
 */
public record BatchView(ReceivedBatch batch) {

  public int rows() {
    return batch.rows();
  }

  /** What the row is. */
  public ItemHead head(int row) {
    ReceivedColumn size = batch.column(BatchSchema.SIZE);
    return new ItemHead(
        batch.column(BatchSchema.INDEX).integer(row),
        batch.column(BatchSchema.KEY).text(row).orElse(""),
        batch.column(BatchSchema.MEMBER).text(row),
        batch.column(BatchSchema.VERSION).text(row),
        batch.column(BatchSchema.ETAG).text(row),
        size.isNull(row) ? OptionalLong.empty() : OptionalLong.of(size.integer(row)));
  }

  /** What became of the row's item. */
  public ItemStatus status(int row) {
    int http = (int) batch.column(BatchSchema.STATUS).integer(row);
    if (http == ItemStatus.OK.http()) {
      return ItemStatus.OK;
    }
    return new ItemStatus.Failed(
        http >= 400 && http <= 599 ? http : 500,
        batch.column(BatchSchema.ERROR_CODE).text(row).orElse("InternalError"),
        batch.column(BatchSchema.ERROR_MESSAGE).text(row).orElse(""));
  }

  /** The row's label; {@link Label#NONE} also where the stream has no labels. */
  public Label label(int row) {
    Optional<ReceivedColumn> labels =
        batch.columns().stream()
            .filter(column -> column.field().getName().equals(BatchSchema.LABEL))
            .findFirst();
    if (labels.isEmpty() || labels.get().isNull(row)) {
      return Label.NONE;
    }
    ReceivedColumn column = labels.get();
    return switch (column.field().getType()) {
      case ArrowType.Int _ -> new Label.Whole(column.integer(row));
      case ArrowType.FloatingPoint _ -> new Label.Real(column.float64(row));
      default -> new Label.Text(column.text(row).orElse(""));
    };
  }

  /** What the column of that name holds, if it holds tensors. */
  public Optional<TensorSpec> tensorSpec(String column) {
    return TensorField.spec(batch.column(column).field());
  }
}
