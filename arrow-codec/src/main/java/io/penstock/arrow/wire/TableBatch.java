package io.penstock.arrow.wire;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TableDecoder;
import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.ipc.VectorColumns;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.memory.TableMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.OversizedAllocationException;
import org.apache.arrow.vector.util.VectorBatchAppender;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one batch, decoded one below the other.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: of its vectors, until {@link #close}; {@link #columns} keep what they need.
 */
public final class TableBatch implements AutoCloseable {
  private static final int SMALLEST = 64;

  private final TableDecoder decoder;
  private final TableShape shape;
  private final TableMemory memory;
  private @Nullable VectorSchemaRoot root;
  private int rows;

  /** An empty batch of a stream with that shape. */
  public TableBatch(TableDecoder decoder, TableShape shape, TableMemory memory) {
    this.decoder = decoder;
    this.shape = shape;
    this.memory = memory;
  }

  /**
   * Appends all rows of an object.
   *
   * @return how many
   * @throws DecodeException if it is no table of this stream; the batch is as before
   * @throws BlockExhaustedException if the tables together need more memory than there is
   */
  public int add(ObjectBytes object) throws DecodeException {
    try (VectorSchemaRoot table = decoder.decode(object, memory.allocator())) {
      Schema schema = shape.agree(table.getSchema());
      append(open(schema), table);
      return table.getRowCount();
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw exhausted(e);
    }
  }

  /** Appends a row of nulls. */
  public void addNull() {
    rows++;
    if (root != null) {
      fill(root, rows - 1);
    }
  }

  private void append(VectorSchemaRoot all, VectorSchemaRoot table) {
    if (table.getRowCount() == 0) {
      return;
    }
    for (int column = 0; column < all.getFieldVectors().size(); column++) {
      VectorBatchAppender.batchAppend(all.getVector(column), table.getVector(column));
    }
    rows = Math.addExact(rows, table.getRowCount());
    all.setRowCount(rows);
  }

  private VectorSchemaRoot open(Schema schema) {
    VectorSchemaRoot known = root;
    if (known != null) {
      return known;
    }
    VectorSchemaRoot opened = VectorSchemaRoot.create(schema, memory.allocator());
    root = opened;
    // the appender reads the end of the last value, which a vector without memory does not have
    for (FieldVector vector : opened.getFieldVectors()) {
      vector.setInitialCapacity(SMALLEST);
      vector.allocateNew();
    }
    for (int row = 0; row < rows; row++) {
      fill(opened, row);
    }
    return opened;
  }

  private static void fill(VectorSchemaRoot all, int row) {
    try {
      for (FieldVector vector : all.getFieldVectors()) {
        while (vector.getValueCapacity() <= row) {
          vector.reAlloc();
        }
        vector.setNull(row);
      }
      all.setRowCount(row + 1);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw exhausted(e);
    }
  }

  private static BlockExhaustedException exhausted(RuntimeException cause) {
    return new BlockExhaustedException(
        "the tables of one batch need more memory: ask for fewer items a batch", cause);
  }

  public int rows() {
    return rows;
  }

  /** Bytes that the values take. */
  public long bytes() {
    return root == null
        ? 0
        : root.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
  }

  /**
   * The columns, which are the caller's; nothing may be added any more.
   *
   * @throws IllegalStateException if the stream has no columns yet
   */
  public List<ColumnBody> columns() {
    Schema schema =
        shape.schema().orElseThrow(() -> new IllegalStateException("no table was decoded yet"));
    return new ArrayList<>(VectorColumns.of(open(schema)));
  }

  @Override
  public void close() {
    if (root != null) {
      root.close();
    }
  }
}
