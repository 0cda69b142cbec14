package io.penstock.arrow.decode;

import java.util.List;

/**
 * Comma-separated values (RFC 4180, UTF-8, a byte order mark is skipped).
 *
 * @param columns those wanted, by the names in the header, or by position where there is none;
 *     empty means all, their types inferred
 * @param header whether the first row holds names; without it and without columns they are called
 *     {@code c0}, {@code c1}, ...
 * @param nullText a value without quotes that means null, besides the empty one; {@code ""} in
 *     quotes is an empty text
 */
public record CsvSpec(List<ColumnSpec> columns, char delimiter, boolean header, String nullText)
    implements TableSpec {

  public CsvSpec {
    columns = ColumnSpec.checked(columns);
    if (delimiter == '"' || delimiter == '\r' || delimiter == '\n') {
      throw new IllegalArgumentException("quotes and line ends cannot delimit values");
    }
  }

  public static CsvSpec of(ColumnSpec... columns) {
    return new CsvSpec(List.of(columns), ',', true, "");
  }
}
