package io.penstock.arrow.decode;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A column that is read from text; every column may have nulls. */
public record ColumnSpec(String name, ColumnType type) {

  public ColumnSpec {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a column needs a name");
    }
  }

  Field field() {
    return Field.nullable(name, type.arrowType());
  }

  static Schema schema(List<ColumnSpec> columns) {
    return new Schema(columns.stream().map(ColumnSpec::field).toList());
  }

  static List<ColumnSpec> checked(List<ColumnSpec> columns) {
    Set<String> names = new HashSet<>();
    columns.forEach(
        column -> {
          if (!names.add(column.name())) {
            throw new IllegalArgumentException("two columns are called " + column.name());
          }
        });
    return List.copyOf(columns);
  }
}
