package io.penstock.loadtest.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One mapping of a YAML file while it is read: hands out typed values, notes every mistake with its
 * line, and at the end complains about keys nobody asked for.
 *
 * <p>Threading: one thread.
 */
final class YamlSection {
  private final String path;
  private final int line;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Set<String> asked = new HashSet<>();
  private final List<Problem> problems;

  YamlSection(String path, Node node, List<Problem> problems) {
    this.path = path;
    this.line = lineOf(node);
    this.problems = problems;
    if (node instanceof MappingNode mapping) {
      mapping.getValue().forEach(this::add);
    } else {
      problems.add(new Problem(path, line, "must be a mapping of keys to values"));
    }
  }

  private void add(NodeTuple tuple) {
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      problem(path, lineOf(tuple.getKeyNode()), "a key must be plain text");
    } else if (values.put(key.getValue(), tuple.getValueNode()) != null) {
      problem(pathOf(key.getValue()), lineOf(key), "is written twice; remove one");
    } else {
      lines.put(key.getValue(), lineOf(key));
    }
  }

  static int lineOf(Node node) {
    return node.getStartMark() == null ? 1 : node.getStartMark().getLine() + 1;
  }

  private String pathOf(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The value of {@code key}, or {@code fallback} when it is absent or wrong. */
  <T> T value(String key, T fallback, Function<String, T> reader) {
    asked.add(key);
    return switch (values.get(key)) {
      case null -> fallback;
      case ScalarNode scalar -> read(key, lineOf(scalar), scalar.getValue(), fallback, reader);
      case Node other -> {
        problem(pathOf(key), lineOf(other), "must be a single value");
        yield fallback;
      }
    };
  }

  private <T> T read(String key, int at, String text, T fallback, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (NumberFormatException e) {
      problem(pathOf(key), at, "'" + text + "' is not a number");
    } catch (IllegalArgumentException e) {
      problem(pathOf(key), at, String.valueOf(e.getMessage()));
    }
    return fallback;
  }

  /** The section under {@code key}; a missing one is empty. */
  YamlSection section(String key) {
    asked.add(key);
    Node node = values.get(key);
    return node != null
        ? new YamlSection(pathOf(key), node, problems)
        : new YamlSection(pathOf(key), emptyMapping(), problems);
  }

  private static Node emptyMapping() {
    return new MappingNode(
        org.yaml.snakeyaml.nodes.Tag.MAP,
        new ArrayList<>(),
        org.yaml.snakeyaml.DumperOptions.FlowStyle.BLOCK);
  }

  /** The sections of the list under {@code key}; a missing list is empty. */
  List<YamlSection> sections(String key) {
    asked.add(key);
    List<YamlSection> found = new ArrayList<>();
    switch (values.get(key)) {
      case null -> {}
      case SequenceNode list ->
          list.getValue()
              .forEach(
                  node ->
                      found.add(
                          new YamlSection(pathOf(key) + "[" + found.size() + "]", node, problems)));
      case Node other -> problem(pathOf(key), lineOf(other), "must be a list");
    }
    return found;
  }

  /** A mapping of values to weights, or empty when it is absent or has mistakes. */
  <T> Optional<Weighted<T>> weights(String key, Function<String, T> reader) {
    if (!values.containsKey(key)) {
      asked.add(key);
      return Optional.empty();
    }
    int before = problems.size();
    YamlSection section = section(key);
    List<Weighted.Choice<T>> choices = new ArrayList<>();
    section.values.forEach(
        (name, node) -> {
          int weight = section.value(name, 1, Integer::parseInt);
          Optional<T> value =
              section.read(
                  name, lineOf(node), name, Optional.empty(), reader.andThen(Optional::of));
          if (weight < 1) {
            section.problem(name, "a weight is 1 or more");
          }
          value.ifPresent(found -> choices.add(new Weighted.Choice<>(found, weight)));
        });
    if (choices.isEmpty() && problems.size() == before) {
      problem(key, "needs at least one entry");
    }
    return problems.size() > before ? Optional.empty() : Optional.of(new Weighted<>(choices));
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  void problem(String key, String message) {
    problem(pathOf(key), lines.getOrDefault(key, line), message);
  }

  private void problem(String where, int at, String message) {
    problems.add(new Problem(where, at, message));
  }

  /** To be called last: every key that nobody asked for is a mistake. */
  void refuseOthers() {
    lines.forEach(
        (key, at) -> {
          if (!asked.contains(key)) {
            problem(pathOf(key), at, "is unknown here; known: " + known());
          }
        });
  }

  private String known() {
    return String.join(", ", asked.stream().sorted().toList());
  }
}
