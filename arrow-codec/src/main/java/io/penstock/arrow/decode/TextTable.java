package io.penstock.arrow.decode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Arrow vectors that are filled from text, row by row. Cells that are not set are null.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: holds the vectors until {@link #finish} hands them over; {@link #close} frees them
 * if that did not happen.
 */
final class TextTable implements AutoCloseable {

  // Java would also take 1d and 0x1p3
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,9})?");
  private static final int LONGEST_NUMBER = 400;

  private final List<ColumnSpec> columns;
  private final DecodeLimits limits;
  private final VectorSchemaRoot root;
  private int rows;
  private boolean finished;

  TextTable(List<ColumnSpec> columns, DecodeLimits limits, BufferAllocator allocator)
      throws DecodeException {
    checkCount(columns.size(), limits);
    this.columns = columns;
    this.limits = limits;
    this.root = VectorSchemaRoot.create(ColumnSpec.schema(columns), allocator);
  }

  static void checkCount(int columns, DecodeLimits limits) throws DecodeException {
    if (columns > limits.columns()) {
      throw DecodeException.tooLarge(
          "the table has more than %d columns".formatted(limits.columns()));
    }
  }

  void set(int column, String text) throws DecodeException {
    FieldVector vector = root.getVector(column);
    try {
      switch (vector) {
        case BitVector bits -> bits.setSafe(rows, bool(text) ? 1 : 0);
        case IntVector ints -> ints.setSafe(rows, Integer.parseInt(text));
        case BigIntVector longs -> longs.setSafe(rows, Long.parseLong(text));
        case Float4Vector floats -> floats.setSafe(rows, (float) number(text));
        case Float8Vector doubles -> doubles.setSafe(rows, number(text));
        case VarCharVector texts -> texts.setSafe(rows, text.getBytes(StandardCharsets.UTF_8));
        default -> throw new IllegalStateException("no column of text: " + vector.getField());
      }
    } catch (NumberFormatException e) {
      throw new DecodeException(
          DecodeFault.MISMATCH,
          "row %d has %s in column %s, which is no %s: name another type in the decode spec"
              .formatted(
                  rows,
                  DecodeException.quoted(text),
                  DecodeException.quoted(columns.get(column).name()),
                  columns.get(column).type().text()),
          e);
    }
  }

  int row() {
    return rows;
  }

  void endRow() throws DecodeException {
    if (++rows > limits.entries()) {
      throw DecodeException.tooLarge("the table has more than %d rows".formatted(limits.entries()));
    }
  }

  VectorSchemaRoot finish() {
    root.setRowCount(rows);
    finished = true;
    return root;
  }

  @Override
  public void close() {
    if (!finished) {
      root.close();
    }
  }

  private static boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new NumberFormatException("neither true nor false");
    };
  }

  private static double number(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        if (text.length() > LONGEST_NUMBER || !FLOAT.matcher(text).matches()) {
          throw new NumberFormatException("no decimal number");
        }
        yield Double.parseDouble(text);
      }
    };
  }
}
