package io.penstock.arrow.decode;

import java.util.List;

/**
 * One JSON object a line (UTF-8).
 *
 * @param columns keys of the objects; others are passed over. Empty means all, their types inferred
 */
public record JsonLinesSpec(List<ColumnSpec> columns) implements TableSpec {

  public JsonLinesSpec {
    columns = ColumnSpec.checked(columns);
  }

  public static JsonLinesSpec of(ColumnSpec... columns) {
    return new JsonLinesSpec(List.of(columns));
  }
}
