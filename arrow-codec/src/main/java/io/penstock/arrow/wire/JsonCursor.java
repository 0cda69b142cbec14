package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.penstock.arrow.wire.RequestResult.RequestProblem;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;

/**
 * Reads JSON value by value and says of each that is not as wanted where it stands and what may
 * stand there. Every method leaves the cursor on the last token of what it read.
 */
final class JsonCursor implements AutoCloseable {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          // a request is UTF-8, whatever its first bytes look like
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(10)
                  .maxStringLength(16 << 10)
                  .maxNameLength(200)
                  .maxNumberLength(40)
                  .build())
          .build();

  private final JsonParser parser;

  private JsonCursor(JsonParser parser) {
    this.parser = parser;
  }

  static JsonCursor over(InputStream input) throws IOException {
    return new JsonCursor(JSON.createParser(input));
  }

  /** What reads one value, with the cursor on its first token. */
  interface Step {
    void read() throws IOException, RequestException;
  }

  JsonToken next() throws IOException {
    JsonToken token = parser.nextToken();
    return token == null ? JsonToken.NOT_AVAILABLE : token;
  }

  /** What the parser itself says of bytes that are no JSON, or too much of it. */
  RequestProblem problemOf(JsonProcessingException e) {
    return e instanceof StreamConstraintsException
        ? problem(Kind.TOO_LARGE, e.getOriginalMessage()).problem()
        : problem(Kind.SYNTAX, "this is no JSON: " + e.getOriginalMessage()).problem();
  }

  /** Whether the value is an object, an array, a text, ... */
  boolean at(JsonToken token) {
    return parser.currentToken() == token;
  }

  /** Reads an object whose fields are {@code fields} and no others. */
  void object(Map<String, Step> fields) throws IOException, RequestException {
    if (!at(JsonToken.START_OBJECT)) {
      throw meaning("write an object here, with " + names(fields));
    }
    while (next() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      Step step = fields.get(name);
      if (step == null) {
        throw meaning("there is no such field; those that may stand here are " + names(fields));
      }
      next();
      step.read();
    }
  }

  /** Reads an object of any fields. */
  void fields(SequencedMap<String, Step> known, FieldStep others)
      throws IOException, RequestException {
    if (!at(JsonToken.START_OBJECT)) {
      throw meaning("write an object here");
    }
    while (next() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      next();
      Step step = known.get(name);
      if (step == null) {
        others.read(name);
      } else {
        step.read();
      }
    }
  }

  /** What reads the value of a field whose name was not known before. */
  interface FieldStep {
    void read(String name) throws IOException, RequestException;
  }

  /** Reads an array, each element by {@code step}. */
  void array(String what, Step step) throws IOException, RequestException {
    if (!at(JsonToken.START_ARRAY)) {
      throw meaning("write an array here: " + what);
    }
    while (next() != JsonToken.END_ARRAY) {
      step.read();
    }
  }

  /** A text of 1 to {@code longest} bytes of UTF-8. */
  String text(int longest) throws IOException, RequestException {
    if (!at(JsonToken.VALUE_STRING)) {
      throw meaning("write a text in quotes here");
    }
    String text = string();
    if (text.isEmpty()) {
      throw meaning("an empty text means nothing here; leave the field out or fill it in");
    }
    if (text.getBytes(StandardCharsets.UTF_8).length > longest) {
      throw meaning("at most %d bytes of UTF-8 may stand here".formatted(longest));
    }
    return text;
  }

  /** The text as it is, also an empty one. */
  String string() throws IOException, RequestException {
    String text = parser.getText();
    if (text.codePoints().anyMatch(JsonCursor::isSurrogate)) {
      throw meaning("half of a surrogate pair is no character; write both halves");
    }
    return text;
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** A whole number from {@code least} to {@code most}. */
  long whole(long least, long most) throws IOException, RequestException {
    if (at(JsonToken.VALUE_NUMBER_INT)
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      long value = parser.getLongValue();
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw meaning("write a whole number from %d to %d here".formatted(least, most));
  }

  /** A finite number. */
  double real() throws IOException, RequestException {
    double value = parser.getDoubleValue();
    if (Double.isInfinite(value)) {
      throw meaning("the number is too large");
    }
    return value;
  }

  boolean flag() throws RequestException {
    if (at(JsonToken.VALUE_TRUE)) {
      return true;
    }
    if (at(JsonToken.VALUE_FALSE)) {
      return false;
    }
    throw meaning("write true or false here");
  }

  /** One of the words that are {@code choices}' keys. */
  <T> T choice(SequencedMap<String, T> choices) throws IOException, RequestException {
    T value = at(JsonToken.VALUE_STRING) ? choices.get(string()) : null;
    if (value == null) {
      throw meaning("write one of " + names(choices) + " here");
    }
    return value;
  }

  static String names(Map<String, ?> names) {
    StringBuilder text = new StringBuilder();
    names
        .keySet()
        .forEach(name -> text.append(text.isEmpty() ? "\"" : ", \"").append(name).append('"'));
    return text.toString();
  }

  /** A problem with the value on which the cursor is. */
  RequestException meaning(String message) {
    return problem(Kind.MEANING, message);
  }

  RequestException problem(Kind kind, String message) {
    String path = parser.getParsingContext().pathAsPointer().toString();
    return new RequestException(new RequestProblem(kind, path, line(), message));
  }

  /** A problem whose place is known, with the line that was read last. */
  RequestException at(RequestProblem problem) {
    return new RequestException(
        new RequestProblem(problem.kind(), problem.path(), line(), problem.message()));
  }

  private OptionalInt line() {
    int line = parser.currentLocation().getLineNr();
    return line < 1 ? OptionalInt.empty() : OptionalInt.of(line);
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
