package io.penstock.arrow.ipc;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** How many nodes and buffers each column of a schema has in a record batch. */
record FieldShape(List<Column> columns) {
  record Column(Field field, int nodes, int buffers) {}

  /**
   * @throws IllegalArgumentException if a type of the schema has no fixed number of buffers
   */
  static FieldShape of(Schema schema) {
    List<Column> columns = new ArrayList<>();
    for (Field field : schema.getFields()) {
      columns.add(new Column(field, nodes(field), buffers(field)));
    }
    return new FieldShape(List.copyOf(columns));
  }

  int nodes() {
    return columns.stream().mapToInt(Column::nodes).sum();
  }

  int buffers() {
    return columns.stream().mapToInt(Column::buffers).sum();
  }

  void check(int rows, List<ColumnBody> bodies) {
    if (bodies.size() != columns.size()) {
      throw new IllegalArgumentException(
          "the schema has %d columns, not %d".formatted(columns.size(), bodies.size()));
    }
    for (int i = 0; i < bodies.size(); i++) {
      ColumnBody body = bodies.get(i);
      Column column = columns.get(i);
      if (body.nodes().size() != column.nodes() || body.buffers().size() != column.buffers()) {
        throw new IllegalArgumentException(
            "column %s takes %d nodes and %d buffers, not %d and %d"
                .formatted(
                    column.field().getName(),
                    column.nodes(),
                    column.buffers(),
                    body.nodes().size(),
                    body.buffers().size()));
      }
      if (body.nodes().getFirst().length() != rows) {
        throw new IllegalArgumentException(
            "column %s has %d values in a batch of %d rows"
                .formatted(column.field().getName(), body.nodes().getFirst().length(), rows));
      }
    }
  }

  private static int nodes(Field field) {
    return 1 + field.getChildren().stream().mapToInt(FieldShape::nodes).sum();
  }

  private static int buffers(Field field) {
    ArrowType type = field.getType();
    if (!TypeLayout.getTypeLayout(type).isFixedBufferCount()) {
      throw new IllegalArgumentException(
          "column %s is a %s, whose buffers vary: use its plain form"
              .formatted(field.getName(), type));
    }
    return TypeLayout.getTypeBufferCount(type)
        + field.getChildren().stream().mapToInt(FieldShape::buffers).sum();
  }
}
