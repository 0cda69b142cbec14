package io.penstock.arrow.decode;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * CSV into columns, by FastCSV. Types that the spec does not name are settled by the first {@value
 * TypeGuess#ROWS} rows; a later value that does not fit them is a mismatch, never silently text.
 *
 * <p>Threading: any number of threads.
 */
final class CsvDecoder implements TableDecoder {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final CsvSpec spec;
  private final DecodeLimits limits;

  CsvDecoder(CsvSpec spec, DecodeLimits limits) {
    this.spec = spec;
    this.limits = limits;
  }

  /** Columns of the result, and where each stands in the file. */
  private record Layout(List<ColumnSpec> columns, List<Integer> positions, int width) {}

  /** What is done with the rows. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(CloseableIterator<CsvRow> rows) throws DecodeException;
  }

  @Override
  public Schema schema(ObjectBytes source) throws DecodeException {
    return ColumnSpec.schema(layout(source).columns());
  }

  @Override
  public VectorSchemaRoot decode(ObjectBytes source, BufferAllocator allocator)
      throws DecodeException {
    Layout layout = layout(source);
    return ArrowMemory.within(() -> reading(source, rows -> fill(layout, rows, allocator)));
  }

  private VectorSchemaRoot fill(
      Layout layout, CloseableIterator<CsvRow> rows, BufferAllocator allocator)
      throws DecodeException {
    try (TextTable table = new TextTable(layout.columns(), limits, allocator)) {
      if (spec.header()) {
        rows.next();
      }
      while (rows.hasNext()) {
        CsvRow row = checked(rows.next(), layout.width());
        for (int i = 0; i < layout.positions().size(); i++) {
          String value = row.values().get(layout.positions().get(i));
          if (value != null) {
            table.set(i, value);
          }
        }
        table.endRow();
      }
      return table.finish();
    }
  }

  private static CsvRow checked(CsvRow row, int width) throws DecodeException {
    if (row.values().size() != width) {
      throw DecodeException.corrupt(
          "line %d has %d values, the first has %d"
              .formatted(row.line(), row.values().size(), width));
    }
    return row;
  }

  private Layout layout(ObjectBytes source) throws DecodeException {
    return reading(
        source,
        rows -> {
          if (!rows.hasNext()) {
            throw DecodeException.truncated("the CSV file has no row");
          }
          CsvRow first = rows.next();
          int width = first.values().size();
          List<String> names = spec.header() ? names(first) : numbered(width);
          if (spec.columns().isEmpty()) {
            return guessed(names, spec.header() ? null : first, rows);
          }
          return new Layout(spec.columns(), positions(names), width);
        });
  }

  private static List<String> numbered(int width) {
    return IntStream.range(0, width).mapToObj(i -> "c" + i).toList();
  }

  private static List<String> names(CsvRow header) throws DecodeException {
    List<String> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : header.values()) {
      if (name == null || name.isEmpty() || !seen.add(name)) {
        throw DecodeException.corrupt(
            "the CSV header has a name twice, or none: %s"
                .formatted(DecodeException.quoted(String.valueOf(name))));
      }
      names.add(name);
    }
    return names;
  }

  private List<Integer> positions(List<String> names) throws DecodeException {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < spec.columns().size(); i++) {
      String name = spec.columns().get(i).name();
      int position = spec.header() ? names.indexOf(name) : i;
      if (position < 0 || position >= names.size()) {
        throw DecodeException.missing("there is no column " + DecodeException.quoted(name));
      }
      positions.add(position);
    }
    return positions;
  }

  private static Layout guessed(
      List<String> names, @Nullable CsvRow first, CloseableIterator<CsvRow> rows)
      throws DecodeException {
    List<TypeGuess> guesses = names.stream().map(_ -> new TypeGuess()).toList();
    if (first != null) {
      see(first, guesses);
    }
    for (int i = 0; i < TypeGuess.ROWS && rows.hasNext(); i++) {
      see(checked(rows.next(), names.size()), guesses);
    }
    List<ColumnSpec> columns =
        IntStream.range(0, names.size())
            .mapToObj(i -> new ColumnSpec(names.get(i), guesses.get(i).type()))
            .toList();
    return new Layout(columns, IntStream.range(0, names.size()).boxed().toList(), names.size());
  }

  private static void see(CsvRow row, List<TypeGuess> guesses) {
    for (int i = 0; i < guesses.size(); i++) {
      String value = row.values().get(i);
      if (value != null) {
        guesses.get(i).see(value);
      }
    }
  }

  private <T> T reading(ObjectBytes source, Reading<T> reading) throws DecodeException {
    limits.checkSource(source.size());
    boolean marked = Arrays.equals(source.head(0, BYTE_ORDER_MARK.length), BYTE_ORDER_MARK);
    int skipped = marked ? BYTE_ORDER_MARK.length : 0;
    ObjectBytes text = source.slice(skipped, source.size() - skipped);
    try (CloseableIterator<CsvRow> rows =
        CsvReader.builder()
            .fieldSeparator(spec.delimiter())
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .skipEmptyLines(true)
            .allowUnclosedQuote(false)
            .build(
                new CsvRow.Handler(spec.nullText(), limits.columns()),
                new InputStreamReader(text.stream(), StandardCharsets.UTF_8.newDecoder()))
            .iterator()) {
      return reading.read(rows);
    } catch (CsvParseException | UncheckedIOException | IOException e) {
      if (e.getCause() instanceof CsvRow.TooManyColumnsException) {
        throw new DecodeException(
            DecodeFault.TOO_LARGE,
            "the table has more than %d columns".formatted(limits.columns()),
            e);
      }
      throw new DecodeException(
          DecodeFault.CORRUPT,
          "the file is no CSV in UTF-8: " + DecodeException.quoted(String.valueOf(e.getMessage())),
          e);
    }
  }
}
