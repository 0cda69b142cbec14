package io.penstock.arrow.decode;

import java.util.List;
import java.util.OptionalInt;

/**
 * Parquet files; types are the file's.
 *
 * @param columns names of those wanted; empty means all
 * @param rowGroup the one wanted, counted from 0; empty means all
 */
public record ParquetSpec(List<String> columns, OptionalInt rowGroup) implements TableSpec {

  public ParquetSpec {
    columns = List.copyOf(columns);
    if (rowGroup.isPresent() && rowGroup.getAsInt() < 0) {
      throw new IllegalArgumentException("row groups are counted from 0");
    }
  }

  public static ParquetSpec of(String... columns) {
    return new ParquetSpec(List.of(columns), OptionalInt.empty());
  }

  public ParquetSpec withRowGroup(int index) {
    return new ParquetSpec(columns, OptionalInt.of(index));
  }
}
