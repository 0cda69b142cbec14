package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.ipc.VectorColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.VectorBatchAppender;

/**
 * The tables of one batch, one below the other.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: of its vectors, until {@link #close}; {@link #columns} keep what they need.
 */
final class TableRows implements AutoCloseable {
  private static final int SMALLEST = 64;

  private final VectorSchemaRoot root;
  private int rows;

  TableRows(Schema schema, BufferAllocator allocator) {
    this.root = VectorSchemaRoot.create(schema, allocator);
    // the appender reads the end of the last value, which a vector without memory does not have
    for (FieldVector vector : root.getFieldVectors()) {
      vector.setInitialCapacity(SMALLEST);
      vector.allocateNew();
    }
  }

  /** Appends all rows of a table with the same columns, whatever they are called. */
  void add(VectorSchemaRoot table) {
    if (table.getRowCount() == 0) {
      return;
    }
    for (int column = 0; column < root.getFieldVectors().size(); column++) {
      VectorBatchAppender.batchAppend(root.getVector(column), table.getVector(column));
    }
    rows = Math.addExact(rows, table.getRowCount());
    root.setRowCount(rows);
  }

  /** Appends a row of nulls. */
  void addNull() {
    for (FieldVector vector : root.getFieldVectors()) {
      while (vector.getValueCapacity() <= rows) {
        vector.reAlloc();
      }
      vector.setNull(rows);
    }
    root.setRowCount(++rows);
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return root.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
  }

  List<ColumnBody> columns() {
    return new ArrayList<>(VectorColumns.of(root));
  }

  @Override
  public void close() {
    root.close();
  }
}
