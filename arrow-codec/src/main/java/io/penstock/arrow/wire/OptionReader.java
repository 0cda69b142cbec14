package io.penstock.arrow.wire;

import io.penstock.arrow.wire.RequestResult.RequestProblem;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Takes the options of a decoder by their names, and says of those that are left over, or are not
 * what they should be, what may stand there.
 */
final class OptionReader {
  private final String path;
  private final SequencedMap<String, OptionValue> values;
  private final Set<String> known = new HashSet<>();

  OptionReader(String path, OptionValue.Fields fields) {
    this.path = path;
    this.values = fields.values();
  }

  private Optional<OptionValue> take(String name) {
    known.add(name);
    return Optional.ofNullable(values.get(name));
  }

  int whole(String name, int least, int most, OptionalInt otherwise) throws RequestException {
    Optional<OptionValue> value = take(name);
    if (value.isEmpty()) {
      return otherwise.orElseThrow(() -> missing(name));
    }
    if (value.get() instanceof OptionValue.Whole(long number)
        && number >= least
        && number <= most) {
      return (int) number;
    }
    throw wrong(name, "write a whole number from %d to %d here".formatted(least, most));
  }

  long number(String name, long otherwise) throws RequestException {
    Optional<OptionValue> value = take(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    if (value.get() instanceof OptionValue.Whole(long number)) {
      return number;
    }
    throw wrong(name, "write a whole number here");
  }

  double real(String name, double otherwise) throws RequestException {
    Optional<OptionValue> value = take(name);
    return value.isEmpty() ? otherwise : real(name, value.get());
  }

  private double real(String name, OptionValue value) throws RequestException {
    return switch (value) {
      case OptionValue.Whole(long number) -> (double) number;
      case OptionValue.Real(double number) -> number;
      default -> throw wrong(name, "write a number here");
    };
  }

  List<Double> reals(String name, List<Double> otherwise) throws RequestException {
    Optional<OptionValue> value = take(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    List<Double> numbers = new ArrayList<>();
    for (OptionValue element : many(name, value.get())) {
      numbers.add(real(name, element));
    }
    return numbers;
  }

  List<Integer> wholes(String name) throws RequestException {
    List<Integer> numbers = new ArrayList<>();
    for (OptionValue element : many(name, take(name).orElseThrow(() -> missing(name)))) {
      if (!(element instanceof OptionValue.Whole(long number))
          || number < 1
          || number > Integer.MAX_VALUE) {
        throw wrong(name, "write whole numbers from 1 to " + Integer.MAX_VALUE + " here");
      }
      numbers.add((int) number);
    }
    return numbers;
  }

  private List<OptionValue> many(String name, OptionValue value) throws RequestException {
    if (value instanceof OptionValue.Many(List<OptionValue> elements)) {
      return elements;
    }
    throw wrong(name, "write an array here");
  }

  /** Texts in an array; none where the option is left out. */
  List<String> texts(String name) throws RequestException {
    Optional<OptionValue> value = take(name);
    List<String> texts = new ArrayList<>();
    for (OptionValue element : value.isEmpty() ? List.<OptionValue>of() : many(name, value.get())) {
      if (!(element instanceof OptionValue.Text(String text)) || text.isEmpty()) {
        throw wrong(name, "write texts in quotes here");
      }
      texts.add(text);
    }
    return texts;
  }

  /** Objects in an array, each with options of its own; none where the option is left out. */
  List<OptionReader> objects(String name) throws RequestException {
    Optional<OptionValue> value = take(name);
    List<OptionReader> objects = new ArrayList<>();
    for (OptionValue element : value.isEmpty() ? List.<OptionValue>of() : many(name, value.get())) {
      if (!(element instanceof OptionValue.Fields fields)) {
        throw wrong(name, "write objects here");
      }
      objects.add(new OptionReader(path + "/" + name + "/" + objects.size(), fields));
    }
    return objects;
  }

  boolean flag(String name, boolean otherwise) throws RequestException {
    Optional<OptionValue> value = take(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    if (value.get() instanceof OptionValue.Flag(boolean flag)) {
      return flag;
    }
    throw wrong(name, "write true or false here");
  }

  Optional<String> text(String name) throws RequestException {
    Optional<OptionValue> value = take(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (value.get() instanceof OptionValue.Text(String text) && !text.isEmpty()) {
      return Optional.of(text);
    }
    throw wrong(name, "write a text in quotes here");
  }

  /** One of the words that are {@code choices}' keys. */
  <T> Optional<T> choice(String name, SequencedMap<String, T> choices) throws RequestException {
    Optional<OptionValue> value = take(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    T chosen = value.get() instanceof OptionValue.Text(String text) ? choices.get(text) : null;
    if (chosen == null) {
      throw wrong(name, "write one of " + JsonCursor.names(choices) + " here");
    }
    return Optional.of(chosen);
  }

  /** The options below {@code name}, if that is an object; then they are taken. */
  Optional<OptionReader> inner(String name) {
    if (values.get(name) instanceof OptionValue.Fields fields) {
      known.add(name);
      return Optional.of(new OptionReader(path + "/" + name, fields));
    }
    return Optional.empty();
  }

  /** Refuses what nobody took. */
  void done() throws RequestException {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw wrong(
            name,
            "there is no such option; those that may stand here are "
                + known.stream().sorted().map(word -> '"' + word + '"').toList());
      }
    }
  }

  private RequestException missing(String name) {
    return problem(path, "\"" + name + "\" is missing");
  }

  private RequestException wrong(String name, String message) {
    return problem(path + "/" + name, message);
  }

  /** A problem with these options as a whole. */
  RequestException problem(String message) {
    return problem(path, message);
  }

  private static RequestException problem(String path, String message) {
    return new RequestException(
        new RequestProblem(Kind.MEANING, path, OptionalInt.empty(), message));
  }
}
