package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.ColumnBody;
import java.util.List;

/**
 * A batch as it is written.
 *
 * @param rows of the Arrow batch, which for tables are not its items
 * @param bytes of the payload columns
 * @param columns in the order of the schema
 */
record Sealed(int rows, long bytes, List<ColumnBody> columns) {
  /** Gives back what no writer takes. */
  void release() {
    columns.forEach(ColumnBody::release);
  }
}
