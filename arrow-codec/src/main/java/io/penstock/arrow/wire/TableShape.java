package io.penstock.arrow.wire;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.DecodeFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a stream of tables: those of its first table. Every column may be null, because
 * the row of a failed item is; a column that has the name of one of the protocol's own is called
 * {@code table.NAME}.
 *
 * <p>Threading: one batch at a time asks and sets it.
 */
public final class TableShape {
  private static final String PREFIX = "table.";

  private volatile @Nullable Schema schema;

  /** Whether a table was seen, and there are columns. */
  public boolean isKnown() {
    return schema != null;
  }

  Optional<Schema> schema() {
    return Optional.ofNullable(schema);
  }

  /** The columns; none until a table was seen. */
  public List<PayloadColumn> columns() {
    return schema().map(Schema::getFields).orElse(List.of()).stream()
        .<PayloadColumn>map(PayloadColumn.Table::new)
        .toList();
  }

  /**
   * Holds a table to the columns of the first one, which may be this.
   *
   * @throws DecodeException if it has others
   */
  Schema agree(Schema table) throws DecodeException {
    Schema known = schema;
    Schema own = new Schema(table.getFields().stream().map(this::column).toList());
    if (known == null) {
      schema = own;
      return own;
    }
    if (!known.equals(own)) {
      throw new DecodeException(
          DecodeFault.MISMATCH,
          "the table has the columns %s, the stream has %s: name columns and types in the decode spec"
              .formatted(names(own), names(known)));
    }
    return known;
  }

  private Field column(Field field) {
    String name =
        BatchSchema.NAMES.contains(field.getName()) ? PREFIX + field.getName() : field.getName();
    FieldType type = field.getFieldType();
    return new Field(
        name, FieldType.nullable(type.getType()), new ArrayList<>(field.getChildren()));
  }

  private static String names(Schema schema) {
    String all =
        String.join(
            ", ", schema.getFields().stream().map(f -> f.getName() + " " + f.getType()).toList());
    return all.length() > 500 ? all.substring(0, 500) + "..." : all;
  }
}
