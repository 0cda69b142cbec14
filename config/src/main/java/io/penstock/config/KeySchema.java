package io.penstock.config;

import io.penstock.config.yaml.YamlNode;
import io.penstock.config.yaml.YamlReader;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One key of a section, made once and used for every file.
 *
 * @param name how it is written in the file
 * @param form what its text must match
 * @param preset the default as it would be read from a file
 * @param optional whether the component is an {@code Optional}
 */
record KeySchema(
    String name,
    RecordComponent component,
    Key rules,
    Shape shape,
    boolean optional,
    Optional<Pattern> form,
    Optional<YamlNode> preset) {

  static KeySchema of(RecordComponent component) {
    Key rules = component.getAnnotation(Key.class);
    if (rules == null) {
      throw new IllegalArgumentException("no @Key on " + component);
    }
    Type type = component.getGenericType();
    boolean optional =
        type instanceof ParameterizedType generic && generic.getRawType() == Optional.class;
    Type inner = optional ? ((ParameterizedType) type).getActualTypeArguments()[0] : type;
    return new KeySchema(
        kebab(component.getName()),
        component,
        rules,
        Shape.of(inner),
        optional,
        Optional.of(rules.pattern()).filter(it -> !it.isEmpty()).map(Pattern::compile),
        YamlReader.read(rules.defaultValue()).root());
  }

  static String kebab(String camelCase) {
    return camelCase.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /** The key that may name a file with the value. */
  String fileName() {
    return name + "-file";
  }

  /** Whether a file without this key is wrong. */
  boolean required() {
    if (optional || preset.isPresent()) {
      return false;
    }
    return switch (shape) {
      case Shape.Value _ -> true;
      case Shape.Nested nested -> SectionSchema.of(nested.type()).hasRequiredKeys();
      case Shape.Many _ -> !rules.min().isEmpty();
    };
  }
}
