package io.penstock.arrow.decode;

import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.ColumnMetaData;
import dev.hardwood.metadata.CompressionCodec;
import dev.hardwood.metadata.Encoding;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.metadata.RowGroup;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks what the headers of a Parquet file claim before Hardwood allocates for it: lists in the
 * footer, sizes and counts of pages, and how far a few bytes of dictionary could be multiplied.
 *
 * <p>Threading: one thread; one file.
 */
final class ParquetPages {

  private static final long MAGIC = 0x31524150;
  private static final int TAIL_BYTES = 8;

  /** What one batch of values may come to at the worst. */
  private static final long BATCH_BYTES = 64 << 20;

  private static final int MAX_ROWS = 8192;

  private final MemorySegment bytes;
  private final DecodeLimits limits;
  private long packed;
  private long unpacked;
  private long longestValue = 1;

  ParquetPages(MemorySegment bytes, DecodeLimits limits) {
    this.bytes = bytes;
    this.limits = limits;
  }

  /** Checks the footer, before anything else reads it. */
  void checkFooter() throws DecodeException {
    long size = bytes.byteSize();
    ByteCursor cursor = new ByteCursor(bytes, 0);
    if (size < Integer.BYTES + TAIL_BYTES) {
      throw DecodeException.truncated("a Parquet file has at least 12 bytes");
    }
    if (cursor.u32(ByteOrder.LITTLE_ENDIAN) != MAGIC) {
      throw DecodeException.corrupt("the object is no Parquet file, or is encrypted");
    }
    cursor = new ByteCursor(bytes, size - TAIL_BYTES);
    long length = cursor.u32(ByteOrder.LITTLE_ENDIAN);
    if (cursor.u32(ByteOrder.LITTLE_ENDIAN) != MAGIC) {
      throw DecodeException.truncated("the Parquet file does not end as it should: it is cut off");
    }
    if (length > size - TAIL_BYTES - Integer.BYTES) {
      throw DecodeException.corrupt("the footer of the Parquet file is longer than the file");
    }
    long at = size - TAIL_BYTES - length;
    var _ = new ThriftCursor(new ByteCursor(bytes.asSlice(at, length), 0)).struct();
  }

  /** Checks all pages of one column in a row group. */
  void check(RowGroup group, ColumnChunk chunk) throws DecodeException {
    ColumnMetaData column = chunk.metaData();
    boolean binary =
        column.type() == PhysicalType.BYTE_ARRAY
            || column.type() == PhysicalType.FIXED_LEN_BYTE_ARRAY;
    if (binary && column.encodings().contains(Encoding.DELTA_BYTE_ARRAY)) {
      throw DecodeException.unsupported(
          "Parquet's encoding DELTA_BYTE_ARRAY is not decoded: write the file with dictionaries");
    }
    long start = column.dataPageOffset();
    if (column.dictionaryPageOffset() != null && column.dictionaryPageOffset() > 0) {
      start = Math.min(start, column.dictionaryPageOffset());
    }
    long length = column.totalCompressedSize();
    if (start < 0 || length < 0 || start > bytes.byteSize() - length) {
      throw DecodeException.corrupt("a column of the Parquet file lies outside of it");
    }
    boolean snappy = column.codec() == CompressionCodec.SNAPPY;
    ByteCursor cursor = new ByteCursor(bytes.asSlice(start, length), 0);
    Map<Long, Long> pages = new HashMap<>();
    long values = 0;
    while (cursor.left() > 0) {
      long pageAt = start + cursor.at();
      ParquetPage page = ParquetPage.read(cursor);
      checkPage(page, binary);
      values += page.rows();
      long at = start + cursor.at();
      cursor.skip(page.packed());
      if (snappy) {
        checkSnappy(page, bytes.asSlice(at, page.packed()));
      }
      pages.put(pageAt, start + cursor.at() - pageAt);
    }
    checkIndex(chunk, pages);
    if (values != group.numRows()) {
      throw DecodeException.corrupt(
          "a column of the Parquet file has %d values for %d rows"
              .formatted(values, group.numRows()));
    }
  }

  /** Pages that are found by the index must be those that were checked. */
  private void checkIndex(ColumnChunk chunk, Map<Long, Long> pages) throws DecodeException {
    if (chunk.offsetIndexOffset() == null || chunk.offsetIndexLength() == null) {
      return;
    }
    long at = chunk.offsetIndexOffset();
    long length = chunk.offsetIndexLength();
    if (at < 0 || length < 0 || at > bytes.byteSize() - length) {
      throw DecodeException.corrupt("an index of the Parquet file lies outside of it");
    }
    ByteCursor cursor = new ByteCursor(bytes.asSlice(at, length), 0);
    if (!pages.entrySet().containsAll(new ThriftCursor(cursor).pageLocations().entrySet())) {
      throw DecodeException.corrupt("an index of the Parquet file names pages that are none");
    }
  }

  /**
   * Snappy's native code writes as many bytes as a block says of itself, wherever that ends.
   * Hardwood 1.0.1 gives it a buffer of the length that the page header says.
   */
  private static void checkSnappy(ParquetPage page, MemorySegment content) throws DecodeException {
    if (page.plain() || page.plainBytes() == page.packed()) {
      return;
    }
    long block = new ThriftCursor(new ByteCursor(content, page.plainBytes())).varint();
    if (block != page.unpacked() - page.plainBytes()) {
      throw DecodeException.corrupt("a page of the Parquet file unpacks to another length");
    }
  }

  private void checkPage(ParquetPage page, boolean binary) throws DecodeException {
    if (page.rows() > limits.entries() || page.entries() > page.unpacked() * Byte.SIZE) {
      throw DecodeException.tooLarge("a page of the Parquet file states too many values");
    }
    packed += page.packed();
    unpacked += page.unpacked();
    limits.checkExpansion(unpacked, packed);
    if (binary && page.entries() > 0) {
      longestValue = Math.max(longestValue, page.unpacked());
    }
  }

  /**
   * So many rows a batch that even the longest value a dictionary can hold, in every one of them,
   * stays within bounds.
   */
  int rowsAtOnce() {
    return Math.clamp(BATCH_BYTES / longestValue, 1, MAX_ROWS);
  }
}
