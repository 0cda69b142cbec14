package io.penstock.config;

import io.penstock.config.yaml.Position;
import io.penstock.config.yaml.YamlNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Turns one scalar of the file into one value: placeholders, type, form, range, and for paths the
 * file behind it. Every mistake goes to {@link Problems}; none repeats the value.
 */
final class ValueBinder {
  private final Placeholders placeholders;
  private final ReferencedFiles files;
  private final Problems problems;

  ValueBinder(Placeholders placeholders, ReferencedFiles files, Problems problems) {
    this.placeholders = placeholders;
    this.files = files;
    this.problems = problems;
  }

  Bound bind(KeySchema key, Class<?> type, YamlNode node, String path) {
    return switch (text(node, path)) {
      case Text(String text, boolean _) when text.isEmpty() -> Bound.UNSET;
      case Text(String _, boolean quoted) when quoted && isBare(type) ->
          failed(path, node.at(), "must be " + Scalars.words(type) + " without quotes");
      case Text(String text, boolean _) -> value(key, type, text, path, node.at());
      case Wrong _ -> Bound.FAILED;
    };
  }

  /** The value of a key whose {@code KEY-file} neighbour is this node. */
  Bound bindFile(KeySchema key, Class<?> type, YamlNode node, String path) {
    if (!(text(node, path) instanceof Text(String name, boolean _))) {
      return Bound.FAILED;
    }
    if (name.isEmpty()) {
      return Bound.UNSET;
    }
    Optional<Path> file = files.resolve(name);
    if (file.isEmpty()) {
      return failed(path, node.at(), "must be the name of a file");
    }
    return switch (files.read(file.get())) {
      case ReferencedFiles.Content.Unreadable unreadable ->
          failed(path, node.at(), "names a file that cannot be used: " + unreadable.why());
      case ReferencedFiles.Content.Text content -> {
        String text = content.text().replaceAll("[\r\n]+\\z", "");
        yield text.isEmpty()
            ? failed(path, node.at(), "names a file that is empty")
            : value(key, type, text, path, node.at());
      }
    };
  }

  private sealed interface Reading permits Text, Wrong {}

  /** The text to read the value from; {@code quoted}: in quotes for no good reason. */
  private record Text(String text, boolean quoted) implements Reading {}

  private record Wrong() implements Reading {}

  private Reading text(YamlNode node, String path) {
    if (!(node instanceof YamlNode.Scalar scalar)) {
      if (!(node instanceof YamlNode.Broken)) {
        problems.add(path, node.at(), "must be a single value, not a list or a section");
      }
      return new Wrong();
    }
    if (scalar.isNull()) {
      problems.add(path, node.at(), "has no value; write one or remove the key");
      return new Wrong();
    }
    Placeholders.Expansion expansion = placeholders.expand(scalar.text());
    expansion.mistakes().forEach(mistake -> problems.add(path, node.at(), mistake));
    if (!expansion.mistakes().isEmpty()) {
      return new Wrong();
    }
    if (expansion.text().isEmpty() && !expansion.used()) {
      problems.add(path, node.at(), "is empty; write a value or remove the key");
      return new Wrong();
    }
    return new Text(expansion.text(), !scalar.plain() && !expansion.used());
  }

  private Bound value(KeySchema key, Class<?> type, String text, String path, Position at) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      return failed(path, at, "holds a line break or another control character; remove it");
    }
    if (type == Path.class) {
      return path(key, text, path, at);
    }
    Optional<Object> value = Scalars.parse(type, text);
    if (value.isEmpty()) {
      return failed(path, at, Scalars.complaint(type, text));
    }
    if (key.form().isPresent() && !key.form().get().matcher(text).matches()) {
      return failed(path, at, "must be " + key.rules().expected());
    }
    if (!inRange(key, type, value.get())) {
      return failed(path, at, "must be " + Scalars.words(type) + " " + range(key));
    }
    return new Bound.Value(value.get());
  }

  private Bound path(KeySchema key, String text, String path, Position at) {
    Optional<Path> file = files.resolve(text);
    if (file.isEmpty()) {
      return failed(path, at, "must be the name of a file");
    }
    Optional<String> mistake = files.mistake(file.get(), key.rules().pem());
    return mistake.isEmpty() ? new Bound.Value(file.get()) : failed(path, at, mistake.get());
  }

  private Bound failed(String path, Position at, String message) {
    problems.add(path, at, message);
    return Bound.FAILED;
  }

  /** Types that quotes would turn into text. */
  private static boolean isBare(Class<?> type) {
    return type == int.class || type == Integer.class || type == boolean.class;
  }

  private static boolean inRange(KeySchema key, Class<?> type, Object value) {
    if (!isRanged(type)) {
      return true;
    }
    return atLeast(type, value, key.rules().min(), 1)
        && atLeast(type, value, key.rules().max(), -1);
  }

  static boolean isRanged(Class<?> type) {
    return isBare(type) || type == Duration.class || type == ByteSize.class;
  }

  /** What {@code min} and {@code max} say, to follow the words of the type. */
  static String range(KeySchema key) {
    String min = key.rules().min();
    String max = key.rules().max();
    if (min.isEmpty()) {
      return max.isEmpty() ? "" : "up to " + max;
    }
    return max.isEmpty() ? "from " + min : "from " + min + " to " + max;
  }

  private static boolean atLeast(Class<?> type, Object value, String bound, int sign) {
    return bound.isEmpty() || sign * compare(value, Scalars.parse(type, bound).orElseThrow()) >= 0;
  }

  private static int compare(Object a, Object b) {
    return switch (a) {
      case Integer number -> number.compareTo((Integer) b);
      case Duration duration -> duration.compareTo((Duration) b);
      case ByteSize size -> size.compareTo((ByteSize) b);
      default -> throw new IllegalArgumentException("no order for " + a.getClass());
    };
  }
}
