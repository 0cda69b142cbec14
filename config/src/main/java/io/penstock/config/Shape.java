package io.penstock.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;

/** What kind of YAML a key takes. */
sealed interface Shape {
  /** One scalar, read as this type. */
  record Value(Class<?> type) implements Shape {}

  /** A section of keys, read as this record. */
  record Nested(Class<? extends Record> type) implements Shape {}

  /** A list. */
  record Many(Shape item) implements Shape {}

  static Shape of(Type type) {
    if (type instanceof Class<?> plain) {
      return plain.isRecord() && plain != ByteSize.class && plain != Secret.class
          ? new Nested(plain.asSubclass(Record.class))
          : new Value(plain);
    }
    if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      return new Many(of(generic.getActualTypeArguments()[0]));
    }
    throw new IllegalArgumentException("no YAML form for " + type.getTypeName());
  }
}
