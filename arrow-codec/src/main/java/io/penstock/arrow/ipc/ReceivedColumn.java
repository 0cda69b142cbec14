package io.penstock.arrow.ipc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * One column of a batch that was read. Nodes and buffers are those of Arrow's columnar format, for
 * whoever maps them further; the other methods read the common forms. Rows count from 0 and are
 * checked; asking for another type than the field's is an {@link IllegalStateException}.
 *
 * <p>Threading: any number of readers.
 *
 * <p>Ownership: the segments are the batch's, and gone with it.
 */
public record ReceivedColumn(
    Field field, List<ColumnBody.Node> nodes, List<MemorySegment> buffers) {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  public ReceivedColumn {
    nodes = List.copyOf(nodes);
    buffers = List.copyOf(buffers);
  }

  public long rows() {
    return nodes.getFirst().length();
  }

  public boolean isNull(long row) {
    Objects.checkIndex(row, rows());
    MemorySegment validity = buffers.getFirst();
    return validity.byteSize() > 0
        && (validity.get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) == 0;
  }

  /** A signed integer of any width; unsigned ones below 64 bits are widened without a sign. */
  public long integer(long row) {
    Objects.checkIndex(row, rows());
    if (!(field.getType() instanceof ArrowType.Int type)) {
      throw new IllegalStateException(field + " has no integers");
    }
    MemorySegment values = buffers.get(1);
    boolean signed = type.getIsSigned();
    return switch (type.getBitWidth()) {
      case Byte.SIZE -> {
        byte value = values.get(ValueLayout.JAVA_BYTE, row);
        yield signed ? value : Byte.toUnsignedLong(value);
      }
      case Short.SIZE -> {
        short value = values.get(SHORT, row * Short.BYTES);
        yield signed ? value : Short.toUnsignedLong(value);
      }
      case Integer.SIZE -> {
        int value = values.get(INT, row * Integer.BYTES);
        yield signed ? value : Integer.toUnsignedLong(value);
      }
      default -> values.get(LONG, row * Long.BYTES);
    };
  }

  /** A number of a {@code float64} column. */
  public double float64(long row) {
    Objects.checkIndex(row, rows());
    if (!(field.getType() instanceof ArrowType.FloatingPoint type)
        || type.getPrecision() != FloatingPointPrecision.DOUBLE) {
      throw new IllegalStateException(field + " has no float64");
    }
    return Double.longBitsToDouble(buffers.get(1).get(LONG, row * Long.BYTES));
  }

  /** The bytes of a binary or text value, where they lie; none where the value is null. */
  public Optional<MemorySegment> bytes(long row) {
    if (isNull(row)) {
      return Optional.empty();
    }
    long from = offset(row);
    return Optional.of(buffers.get(2).asSlice(from, offset(row + 1) - from));
  }

  /** A text value, if it is not null. */
  public Optional<String> text(long row) {
    return bytes(row)
        .map(value -> new String(value.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
  }

  /** All values of a tensor column, one after the other, where they lie; nulls are zeros. */
  public MemorySegment tensors() {
    if (!(field.getType() instanceof ArrowType.FixedSizeList)) {
      throw new IllegalStateException(field + " has no tensors");
    }
    ArrowType element = field.getChildren().getFirst().getType();
    return buffers.get(2).asSlice(0, nodes.get(1).length() * width(element));
  }

  /** The bytes of one row's tensor, where they lie; none where it is null. */
  public Optional<MemorySegment> tensor(long row) {
    if (isNull(row)) {
      return Optional.empty();
    }
    MemorySegment all = tensors();
    long bytes = all.byteSize() / rows();
    return Optional.of(all.asSlice(row * bytes, bytes));
  }

  long offset(long row) {
    MemorySegment offsets = buffers.get(1);
    return switch (field.getType()) {
      case ArrowType.Utf8 _, ArrowType.Binary _ -> offsets.get(INT, row * Integer.BYTES);
      case ArrowType.LargeUtf8 _, ArrowType.LargeBinary _ -> offsets.get(LONG, row * Long.BYTES);
      default -> throw new IllegalStateException(field + " has no bytes of varying length");
    };
  }

  static int width(ArrowType type) {
    return switch (type) {
      case ArrowType.Int integer -> integer.getBitWidth() / Byte.SIZE;
      case ArrowType.FloatingPoint number ->
          switch (number.getPrecision()) {
            case HALF -> Short.BYTES;
            case SINGLE -> Float.BYTES;
            case DOUBLE -> Double.BYTES;
          };
      default -> throw new IllegalStateException(type + " has no fixed width");
    };
  }
}
