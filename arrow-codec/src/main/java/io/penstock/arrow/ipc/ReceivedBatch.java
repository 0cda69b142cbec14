package io.penstock.arrow.ipc;

import io.penstock.arrow.memory.Block;
import java.util.List;

/**
 * One batch that was read: its columns lie in memory as they came, or decompressed.
 *
 * <p>Threading: any number of readers, until it is closed.
 *
 * <p>Ownership: owns its blocks; after {@link #close} no column may be touched.
 */
public final class ReceivedBatch implements AutoCloseable {
  private final int rows;
  private final List<ReceivedColumn> columns;
  private final List<Block> blocks;
  private boolean closed;

  ReceivedBatch(int rows, List<ReceivedColumn> columns, List<Block> blocks) {
    this.rows = rows;
    this.columns = List.copyOf(columns);
    this.blocks = List.copyOf(blocks);
  }

  public int rows() {
    return rows;
  }

  /** The columns in the order of the schema. */
  public List<ReceivedColumn> columns() {
    return columns;
  }

  /**
   * The column of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public ReceivedColumn column(String name) {
    return columns.stream()
        .filter(column -> column.field().getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no column %s among %s"
                        .formatted(name, columns.stream().map(c -> c.field().getName()).toList())));
  }

  /** Gives the memory back, once. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      blocks.forEach(Block::close);
    }
  }
}
