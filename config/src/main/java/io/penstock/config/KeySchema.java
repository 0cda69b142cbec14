package io.penstock.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;

/** One key of a section: its name in the file, its rules, its shape. */
record KeySchema(String name, RecordComponent component, Key rules, Shape shape, boolean optional) {

  static KeySchema of(RecordComponent component) {
    Key rules = component.getAnnotation(Key.class);
    if (rules == null) {
      throw new IllegalArgumentException("no @Key on " + component);
    }
    Type type = component.getGenericType();
    boolean optional =
        type instanceof ParameterizedType generic && generic.getRawType() == Optional.class;
    Type inner = optional ? ((ParameterizedType) type).getActualTypeArguments()[0] : type;
    return new KeySchema(kebab(component.getName()), component, rules, Shape.of(inner), optional);
  }

  static String kebab(String camelCase) {
    return camelCase.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /** The key that may name a file with the value. */
  String fileName() {
    return name + "-file";
  }

  boolean hasDefault() {
    return !rules.defaultValue().isEmpty();
  }

  /** Whether a file without this key is wrong. */
  boolean required() {
    if (optional || hasDefault()) {
      return false;
    }
    return switch (shape) {
      case Shape.Value _ -> true;
      case Shape.Nested nested -> SectionSchema.of(nested.type()).hasRequiredKeys();
      case Shape.Many _ -> !rules.min().isEmpty();
    };
  }
}
