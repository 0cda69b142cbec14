package io.penstock.arrow.ipc;

import io.penstock.arrow.ipc.BatchStreamException.Reason;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Proves that no access to a column leaves its buffers. Checks the forms that {@link
 * ReceivedColumn} gives access to; of others only that their buffers lie in the body.
 */
final class ColumnCheck {
  private final ReceivedColumn column;

  private ColumnCheck(ReceivedColumn column) {
    this.column = column;
  }

  static void check(ReceivedColumn column) throws IOException {
    new ColumnCheck(column).check();
  }

  private void check() throws IOException {
    ArrowType type = column.field().getType();
    long rows = column.rows();
    long nulls = column.nodes().getFirst().nulls();
    need(rows >= 0 && nulls >= 0 && nulls <= rows, "%d nulls in %d rows".formatted(nulls, rows));
    if (!type.getTypeID().equals(ArrowType.ArrowTypeID.Null) && !isUnion(type)) {
      MemorySegment validity = column.buffers().getFirst();
      need(
          (nulls == 0 && validity.byteSize() == 0) || validity.byteSize() >= (rows + 7) / 8,
          "a validity bitmap of " + validity.byteSize() + " bytes");
    }
    switch (type) {
      case ArrowType.Int integer -> fixed(1, integer.getBitWidth() / Byte.SIZE, rows);
      case ArrowType.FloatingPoint _ -> fixed(1, ReceivedColumn.width(type), rows);
      case ArrowType.Utf8 _, ArrowType.Binary _ -> variable(Integer.BYTES);
      case ArrowType.LargeUtf8 _, ArrowType.LargeBinary _ -> variable(Long.BYTES);
      case ArrowType.FixedSizeList list -> list(list.getListSize(), rows);
      default -> {}
    }
  }

  private static boolean isUnion(ArrowType type) {
    return type.getTypeID() == ArrowType.ArrowTypeID.Union;
  }

  private void fixed(int buffer, int width, long values) throws IOException {
    long bytes = column.buffers().get(buffer).byteSize();
    need(
        bytes >= Math.multiplyExact(values, (long) width),
        "%d bytes for %d values of %d".formatted(bytes, values, width));
  }

  private void variable(int width) throws IOException {
    long rows = column.rows();
    MemorySegment offsets = column.buffers().get(1);
    if (rows == 0 && offsets.byteSize() == 0) {
      return;
    }
    need(
        offsets.byteSize() >= (rows + 1) * width,
        "%d bytes of offsets for %d rows".formatted(offsets.byteSize(), rows));
    long end = column.buffers().get(2).byteSize();
    long last = column.offset(0);
    need(last >= 0, "a negative offset");
    for (long row = 1; row <= rows; row++) {
      long next = column.offset(row);
      need(next >= last, "offsets that go back at row " + row);
      last = next;
    }
    need(last <= end, "an offset of %d in %d bytes".formatted(last, end));
  }

  private void list(int size, long rows) throws IOException {
    ColumnBody.Node child = column.nodes().get(1);
    need(
        size >= 0 && child.length() == Math.multiplyExact(rows, (long) size),
        "%d elements in %d lists of %d".formatted(child.length(), rows, size));
    ArrowType element = column.field().getChildren().getFirst().getType();
    if (element instanceof ArrowType.Int || element instanceof ArrowType.FloatingPoint) {
      need(child.nulls() == 0, "nulls inside of a tensor");
      fixed(2, ReceivedColumn.width(element), child.length());
    }
  }

  private void need(boolean holds, String what) throws IOException {
    if (!holds) {
      throw BatchStreamException.of(
          Reason.MALFORMED, "column " + column.field().getName() + " has " + what);
    }
  }
}
