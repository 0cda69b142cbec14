package io.penstock.arrow.wire;

import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.tensor.TensorSpec;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A column with what was asked for: null in the rows of failed items. */
public sealed interface PayloadColumn {
  /** Objects as they are, in a column of that name. */
  record Binary(String name) implements PayloadColumn {}

  /** One tensor an item. */
  record Tensor(String name, TensorSpec spec, TensorField.Form form) implements PayloadColumn {}

  /** A column of a table, for objects that are tables: many rows an item. */
  record Table(Field column) implements PayloadColumn {}

  /** The column of raw objects: {@code payload}. */
  static PayloadColumn binary() {
    return new Binary("payload");
  }

  /** The column of decoded tensors: {@code tensor}. */
  static PayloadColumn tensor(TensorSpec spec, TensorField.Form form) {
    return new Tensor("tensor", spec, form);
  }

  /** The column as it stands in the schema. */
  default Field field() {
    return switch (this) {
      case Binary(String name) ->
          new Field(name, FieldType.nullable(new ArrowType.LargeBinary()), List.of());
      case Tensor(String name, TensorSpec spec, TensorField.Form form) ->
          TensorField.of(name, spec, form);
      case Table(Field column) -> column;
    };
  }
}
