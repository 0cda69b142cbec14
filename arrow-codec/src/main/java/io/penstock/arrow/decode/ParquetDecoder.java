package io.penstock.arrow.decode;

import dev.hardwood.HardwoodContext;
import dev.hardwood.InputFile;
import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.RowGroup;
import dev.hardwood.reader.ColumnReaders;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowGroupPredicate;
import dev.hardwood.schema.ColumnProjection;
import dev.hardwood.schema.ColumnSchema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Parquet row groups into columns, by Hardwood. Flat columns only. Sizes that pages claim are
 * checked by {@link ParquetPages} before any is unpacked.
 *
 * <p>Threading: any number of threads; each call runs one helper thread of Hardwood, which has
 * ended when the call returns.
 *
 * <p>Ownership: pages are unpacked into the heap, one batch of rows at a time.
 */
final class ParquetDecoder implements TableDecoder {

  private final ParquetSpec spec;
  private final DecodeLimits limits;

  ParquetDecoder(ParquetSpec spec, DecodeLimits limits) {
    this.spec = spec;
    this.limits = limits;
  }

  /** What is done with an open file. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(ParquetFileReader file, ParquetPages pages) throws IOException, DecodeException;
  }

  @Override
  public Schema schema(ObjectBytes source) throws DecodeException {
    return reading(source, (file, _) -> new Schema(fields(columns(file))));
  }

  @Override
  public VectorSchemaRoot decode(ObjectBytes source, BufferAllocator allocator)
      throws DecodeException {
    return ArrowMemory.within(() -> reading(source, (file, pages) -> rows(file, pages, allocator)));
  }

  private VectorSchemaRoot rows(
      ParquetFileReader file, ParquetPages pages, BufferAllocator allocator)
      throws DecodeException {
    List<ColumnSchema> columns = columns(file);
    List<Field> fields = fields(columns);
    List<RowGroup> groups = groups(file);
    long rows = groups.stream().mapToLong(RowGroup::numRows).sum();
    if (rows > limits.entries()) {
      throw DecodeException.tooLarge("the table has more than %d rows".formatted(limits.entries()));
    }
    for (RowGroup group : groups) {
      for (ColumnSchema column : columns) {
        pages.check(group, group.columns().get(column.columnIndex()));
      }
    }
    VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
    boolean filled = false;
    try (ColumnReaders readers = readers(file, columns, groups, pages.rowsAtOnce())) {
      fill(root, readers, rows);
      filled = true;
      return root;
    } finally {
      if (!filled) {
        root.close();
      }
    }
  }

  private ColumnReaders readers(
      ParquetFileReader file, List<ColumnSchema> columns, List<RowGroup> groups, int rowsAtOnce) {
    String[] names = columns.stream().map(ColumnSchema::name).toArray(String[]::new);
    var builder = file.buildColumnReaders(ColumnProjection.columns(names)).batchSize(rowsAtOnce);
    if (spec.rowGroup().isPresent()) {
      long middle = middle(groups.getFirst());
      builder.filter(RowGroupPredicate.byteRange(middle, middle + 1));
    }
    return builder.build();
  }

  /** Hardwood, like parquet-java, gives a row group to the range that holds its middle. */
  private static long middle(RowGroup group) {
    long start = group.columns().getFirst().chunkStartOffset();
    long length =
        group.columns().stream()
            .map(ColumnChunk::metaData)
            .mapToLong(chunk -> chunk.totalCompressedSize())
            .sum();
    return start + length / 2;
  }

  private static void fill(VectorSchemaRoot root, ColumnReaders readers, long rows)
      throws DecodeException {
    List<ParquetValues> columns = new ArrayList<>();
    for (FieldVector vector : root.getFieldVectors()) {
      columns.add(new ParquetValues(vector, readers.getColumnReader(vector.getName())));
    }
    int row = 0;
    while (readers.nextBatch()) {
      for (ParquetValues column : columns) {
        column.append(row);
      }
      row += readers.getRecordCount();
    }
    if (row != rows) {
      throw DecodeException.corrupt(
          "the Parquet file states %d rows and has %d".formatted(rows, row));
    }
    root.setRowCount(row);
  }

  private List<RowGroup> groups(ParquetFileReader file) throws DecodeException {
    List<RowGroup> groups = file.getFileMetaData().rowGroups();
    if (spec.rowGroup().isEmpty()) {
      return groups;
    }
    int index = spec.rowGroup().getAsInt();
    if (index >= groups.size()) {
      throw DecodeException.missing(
          "there is no row group %d, the file has %d".formatted(index, groups.size()));
    }
    return List.of(groups.get(index));
  }

  private List<ColumnSchema> columns(ParquetFileReader file) throws DecodeException {
    List<ColumnSchema> all = file.getFileSchema().getColumns();
    if (all.size() > limits.columns()) {
      throw DecodeException.tooLarge(
          "the table has more than %d columns".formatted(limits.columns()));
    }
    if (spec.columns().isEmpty()) {
      return all;
    }
    List<ColumnSchema> columns = new ArrayList<>();
    for (String name : spec.columns()) {
      columns.add(
          all.stream()
              .filter(column -> column.fieldPath().topLevelName().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      DecodeException.missing(
                          "there is no column " + DecodeException.quoted(name))));
    }
    return columns;
  }

  private static List<Field> fields(List<ColumnSchema> columns) throws DecodeException {
    List<Field> fields = new ArrayList<>();
    for (ColumnSchema column : columns) {
      fields.add(ParquetColumn.field(column));
    }
    return fields;
  }

  private <T> T reading(ObjectBytes source, Reading<T> reading) throws DecodeException {
    limits.checkSource(source.size());
    try (Arena arena = Arena.ofShared();
        HardwoodContext context = HardwoodContext.create(1)) {
      MemorySegment bytes = source.joined(arena);
      ParquetPages pages = new ParquetPages(bytes, limits);
      pages.checkFooter();
      InputFile input = InputFile.of(bytes.asByteBuffer());
      try (ParquetFileReader file = ParquetFileReader.open(input, context)) {
        return reading.read(file, pages);
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof org.apache.arrow.memory.OutOfMemoryException
          || e instanceof org.apache.arrow.vector.util.OversizedAllocationException) {
        throw (RuntimeException) e;
      }
      // Hardwood has no exception of its own for broken files
      throw new DecodeException(DecodeFault.CORRUPT, "the Parquet file cannot be read", e);
    }
  }
}
