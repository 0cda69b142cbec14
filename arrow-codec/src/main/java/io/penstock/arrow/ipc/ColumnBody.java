package io.penstock.arrow.ipc;

import io.penstock.arrow.tensor.TensorColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * What one column, nested or not, puts into a record batch: its field nodes and its buffers, both
 * in the pre-order of Arrow's columnar format.
 *
 * <p>Ownership: of every buffer's parts, until {@link #release()} or until a {@link BatchWriter}
 * takes it.
 */
public record ColumnBody(List<Node> nodes, List<BodyBuffer> buffers) {

  /** Values and nulls of one field. */
  public record Node(long length, long nulls) {}

  public ColumnBody {
    nodes = List.copyOf(nodes);
    buffers = List.copyOf(buffers);
  }

  /** A column of {@code arrow.fixed_shape_tensor}: takes the tensors over, without a copy. */
  public static ColumnBody tensors(TensorColumn column) {
    int rows = column.rows();
    int nulls = column.nulls();
    BodyBuffer validity = BodyBuffer.ABSENT;
    if (nulls > 0) {
      Bitmap bitmap = new Bitmap();
      for (int row = 0; row < rows; row++) {
        bitmap.add(column.isFilled(row));
      }
      validity = bitmap.buffer();
    }
    long elements = (long) rows * column.spec().elements();
    long bytes = rows * column.spec().bytesPerSample();
    return new ColumnBody(
        List.of(new Node(rows, nulls), new Node(elements, 0)),
        List.of(validity, BodyBuffer.ABSENT, new BodyBuffer(BlockParts.of(column.seal(), bytes))));
  }

  /** A struct of {@code children}, present in every row. */
  public static ColumnBody struct(int rows, List<ColumnBody> children) {
    List<Node> nodes = new ArrayList<>(List.of(new Node(rows, 0)));
    List<BodyBuffer> buffers = new ArrayList<>(List.of(BodyBuffer.ABSENT));
    for (ColumnBody child : children) {
      nodes.addAll(child.nodes);
      buffers.addAll(child.buffers);
    }
    return new ColumnBody(nodes, buffers);
  }

  /** Releases every part: for a column that no writer takes. */
  public void release() {
    buffers.forEach(BodyBuffer::release);
  }
}
