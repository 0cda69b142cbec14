package io.penstock.config;

import io.penstock.config.yaml.Position;
import io.penstock.config.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns sections of the file into records by what {@link Key} says. Goes on after every mistake, so
 * that one pass finds them all.
 *
 * <p>Threading: one instance binds one file.
 */
final class SectionBinder {
  private final ValueBinder values;
  private final Bindings bindings;
  private final Problems problems;
  private final UnknownKeys unknownKeys;

  SectionBinder(ValueBinder values, Bindings bindings, Problems problems) {
    this.values = values;
    this.bindings = bindings;
    this.problems = problems;
    this.unknownKeys = new UnknownKeys(problems);
  }

  /** A section that is being read: its entries by name, where it starts, how it is called. */
  private record Section(
      Map<String, YamlNode.Entry> entries, Position at, boolean complete, String path) {
    String path(String key) {
      return path.isEmpty() ? key : path + "." + key;
    }
  }

  Bound bind(Class<? extends Record> type, YamlNode node, String path) {
    return switch (node) {
      case YamlNode.Mapping mapping -> mapping(SectionSchema.of(type), mapping, path);
      case YamlNode.Scalar scalar when scalar.isNull() ->
          mapping(SectionSchema.of(type), YamlNode.Mapping.empty(node.at()), path);
      case YamlNode.Broken _ -> Bound.FAILED;
      case YamlNode.Scalar _, YamlNode.Sequence _ -> {
        problems.add(path, node.at(), "must be a section of 'key: value' lines");
        yield Bound.FAILED;
      }
    };
  }

  private Bound mapping(SectionSchema schema, YamlNode.Mapping node, String path) {
    Section section = new Section(entries(schema, node, path), node.at(), node.complete(), path);
    Map<KeySchema, Bound> bound = new HashMap<>();
    // a key that depends on a neighbour comes after it
    schema.keys().stream()
        .sorted(Comparator.comparing(key -> !key.rules().unless().isEmpty()))
        .forEach(key -> bound.put(key, key(key, section)));
    if (bound.containsValue(Bound.FAILED)) {
      return Bound.FAILED;
    }
    List<Object> components = new ArrayList<>();
    for (KeySchema key : schema.keys()) {
      Optional<Object> value =
          bound.get(key) instanceof Bound.Value(Object it) ? Optional.of(it) : Optional.empty();
      components.add(key.optional() ? value : value.orElseThrow());
    }
    return new Bound.Value(schema.create(components));
  }

  private Map<String, YamlNode.Entry> entries(
      SectionSchema schema, YamlNode.Mapping node, String path) {
    Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
    for (YamlNode.Entry entry : node.entries()) {
      if (!schema.names().contains(entry.key())) {
        unknownKeys.report(schema, entry, path);
        continue;
      }
      YamlNode.Entry first = entries.putIfAbsent(entry.key(), entry);
      if (first != null) {
        String key = path.isEmpty() ? entry.key() : path + "." + entry.key();
        problems.add(key, entry.keyAt(), "is there twice, first on line " + first.keyAt().line());
        checkOnly(schema, entry, path);
      }
    }
    return entries;
  }

  /** Finds the mistakes in a section that will not be used. */
  private void checkOnly(SectionSchema schema, YamlNode.Entry entry, String path) {
    var apart = new SectionBinder(values, new Bindings(), problems);
    Section section = new Section(Map.of(entry.key(), entry), entry.keyAt(), false, path);
    schema.keys().stream()
        .filter(key -> key.name().equals(entry.key()))
        .forEach(key -> apart.key(key, section));
  }

  private Bound key(KeySchema key, Section section) {
    String path = section.path(key.name());
    YamlNode.Entry direct = section.entries().get(key.name());
    YamlNode.Entry file = key.rules().fromFile() ? section.entries().get(key.fileName()) : null;
    String unless = key.rules().unless();
    if (!unless.isEmpty()) {
      var flag = bindings.find(section.path(unless), Boolean.class);
      if (flag.isPresent() && flag.get().value()) {
        return forbidden(key, section, direct, file);
      }
    }
    if (direct != null && file != null) {
      problems.add(
          section.path(key.fileName()),
          file.keyAt(),
          "cannot stand beside " + key.name() + "; remove one of them");
      return Bound.FAILED;
    }
    Bound bound = Bound.UNSET;
    Position at = section.at();
    if (file != null && key.shape() instanceof Shape.Value(Class<?> type)) {
      at = file.value().at();
      bound = values.bindFile(key, type, file.value(), section.path(key.fileName()));
      remember(path, bound, at, true);
    } else if (direct != null) {
      at = direct.value().at();
      bound = shape(key, key.shape(), direct.value(), path, true);
    }
    return bound instanceof Bound.Unset ? absent(key, section, at) : bound;
  }

  private Bound forbidden(
      KeySchema key,
      Section section,
      YamlNode.@Nullable Entry direct,
      YamlNode.@Nullable Entry file) {
    for (YamlNode.Entry entry : new YamlNode.Entry[] {direct, file}) {
      if (entry != null) {
        problems.add(
            section.path(entry.key()),
            entry.keyAt(),
            "cannot be set when " + key.rules().unless() + " is true; remove one of them");
        return Bound.FAILED;
      }
    }
    if (key.optional()) {
      return Bound.UNSET;
    }
    Class<?> type = ((Shape.Value) key.shape()).type();
    return new Bound.Value(Scalars.parse(type, "").orElseThrow());
  }

  private Bound absent(KeySchema key, Section section, Position at) {
    String path = section.path(key.name());
    if (key.required()) {
      boolean undecided =
          !key.rules().unless().isEmpty()
              && bindings.find(section.path(key.rules().unless()), Boolean.class).isEmpty();
      if (section.complete() && !undecided) {
        problems.add(path, at, missing(key));
      }
      return Bound.FAILED;
    }
    if (key.optional()) {
      return Bound.UNSET;
    }
    if (key.preset().isPresent()) {
      Bound bound = shape(key, key.shape(), key.preset().get(), path, false);
      remember(path, bound, at, false);
      return bound;
    }
    return key.shape() instanceof Shape.Nested(var type)
        ? mapping(SectionSchema.of(type), YamlNode.Mapping.empty(at), path)
        : new Bound.Value(List.of());
  }

  private static String missing(KeySchema key) {
    if (key.shape() instanceof Shape.Nested(var type)) {
      return "is missing; it needs " + String.join(", ", SectionSchema.of(type).requiredNames());
    }
    String or = key.rules().fromFile() ? " or " + key.fileName() : "";
    String unless = key.rules().unless().isEmpty() ? "" : ", or " + key.rules().unless() + ": true";
    return "is missing; write " + key.name() + or + unless;
  }

  private Bound shape(KeySchema key, Shape shape, YamlNode node, String path, boolean written) {
    return switch (shape) {
      case Shape.Value(Class<?> type) -> {
        Bound bound = values.bind(key, type, node, path);
        remember(path, bound, node.at(), written);
        yield bound;
      }
      case Shape.Nested(var type) -> bind(type, node, path);
      case Shape.Many(Shape item) -> list(key, item, node, path, written);
    };
  }

  private Bound list(KeySchema key, Shape item, YamlNode node, String path, boolean written) {
    if (node instanceof YamlNode.Scalar scalar && scalar.isNull()) {
      return Bound.UNSET;
    }
    if (!(node instanceof YamlNode.Sequence sequence)) {
      if (!(node instanceof YamlNode.Broken)) {
        problems.add(path, node.at(), "must be a list: [a, b] or lines that start with '- '");
      }
      return Bound.FAILED;
    }
    bindings.putSize(path, sequence.items().size());
    List<Object> items = new ArrayList<>();
    boolean failed = !sequence.complete();
    for (int i = 0; i < sequence.items().size(); i++) {
      Bound bound = shape(key, item, sequence.items().get(i), path + "[" + i + "]", written);
      failed |= bound instanceof Bound.Failed;
      if (bound instanceof Bound.Value(Object value)) {
        items.add(value);
      }
    }
    int least = key.rules().min().isEmpty() ? 0 : Integer.parseInt(key.rules().min());
    if (!failed && items.size() < least) {
      problems.add(
          path, node.at(), "must hold at least " + least + (least == 1 ? " item" : " items"));
      return Bound.FAILED;
    }
    return failed ? Bound.FAILED : new Bound.Value(items);
  }

  private void remember(String path, Bound bound, Position at, boolean written) {
    if (bound instanceof Bound.Value(Object value)) {
      bindings.put(path, value, at, written);
    }
  }
}
