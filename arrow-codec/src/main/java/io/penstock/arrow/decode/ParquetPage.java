package io.penstock.arrow.decode;

import java.util.Map;

/**
 * What the header of a Parquet page states (Parquet's {@code PageHeader} in parquet.thrift).
 *
 * @param packed bytes of the page as stored
 * @param unpacked bytes of the page once unpacked
 * @param rows values of a data page
 * @param entries values of a dictionary page
 * @param plainBytes at the page's start that are never packed
 * @param plain whether the rest is not packed either, whatever the column's codec
 */
record ParquetPage(
    long packed, long unpacked, long rows, long entries, long plainBytes, boolean plain) {

  // fields, and those of the headers inside by outer * 100 + inner
  private static final int UNPACKED = 2;
  private static final int PACKED = 3;
  private static final int DATA_VALUES = 501;
  private static final int DICTIONARY_VALUES = 701;
  private static final int V2_VALUES = 801;
  private static final int V2_DEFINITION_BYTES = 805;
  private static final int V2_REPETITION_BYTES = 806;
  private static final int V2_COMPRESSED = 807;

  static ParquetPage read(ByteCursor cursor) throws DecodeException {
    Map<Integer, Long> header = new ThriftCursor(cursor).struct();
    long definition = header.getOrDefault(V2_DEFINITION_BYTES, 0L);
    long repetition = header.getOrDefault(V2_REPETITION_BYTES, 0L);
    ParquetPage page =
        new ParquetPage(
            header.getOrDefault(PACKED, -1L),
            header.getOrDefault(UNPACKED, -1L),
            header.getOrDefault(DATA_VALUES, header.getOrDefault(V2_VALUES, 0L)),
            header.getOrDefault(DICTIONARY_VALUES, 0L),
            definition + repetition,
            header.getOrDefault(V2_COMPRESSED, 1L) == 0);
    if (page.packed < 0 || page.unpacked < 0 || page.rows < 0 || page.entries < 0) {
      throw DecodeException.corrupt("a page of the Parquet file states no size");
    }
    if (Math.min(definition, repetition) < 0
        || page.plainBytes > Math.min(page.packed, page.unpacked)) {
      throw DecodeException.corrupt("a page of the Parquet file states impossible levels");
    }
    return page;
  }
}
