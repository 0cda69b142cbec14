package io.penstock.arrow.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * JSON lines into columns, by Jackson's streaming parser. A key is a column; objects and arrays
 * become their JSON text in a string column. Without columns in the spec, keys and types are
 * settled by the first {@value TypeGuess#ROWS} objects, in the order in which keys appear; a later
 * key or value that does not fit is a mismatch.
 *
 * <p>Threading: any number of threads.
 */
final class JsonLinesDecoder implements TableDecoder {

  private final JsonLinesSpec spec;
  private final DecodeLimits limits;
  private final JsonFactory json;

  JsonLinesDecoder(JsonLinesSpec spec, DecodeLimits limits) {
    this.spec = spec;
    this.limits = limits;
    this.json =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // keys come from strangers: an interned one would never go away
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(limits.nesting()).build())
            .build();
  }

  /** What is done with the tokens. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(JsonParser parser) throws IOException, DecodeException;
  }

  @Override
  public Schema schema(ObjectBytes source) throws DecodeException {
    return ColumnSpec.schema(columns(source));
  }

  @Override
  public VectorSchemaRoot decode(ObjectBytes source, BufferAllocator allocator)
      throws DecodeException {
    List<ColumnSpec> columns = columns(source);
    return ArrowMemory.within(() -> reading(source, parser -> fill(columns, parser, allocator)));
  }

  private VectorSchemaRoot fill(
      List<ColumnSpec> columns, JsonParser parser, BufferAllocator allocator)
      throws IOException, DecodeException {
    Map<String, Integer> positions = new HashMap<>();
    columns.forEach(column -> positions.put(column.name(), positions.size()));
    try (TextTable table = new TextTable(columns, limits, allocator)) {
      while (nextObject(parser)) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          Integer position = positions.get(name);
          JsonToken token = parser.nextToken();
          if (position != null) {
            set(table, position, columns.get(position), parser);
          } else if (spec.columns().isEmpty()) {
            throw DecodeException.mismatch(
                "row %d is the first with the key %s: name the columns in the decode spec"
                    .formatted(table.row(), DecodeException.quoted(name)));
          } else if (token.isStructStart()) {
            parser.skipChildren();
          }
        }
        table.endRow();
      }
      return table.finish();
    }
  }

  private static void set(TextTable table, int position, ColumnSpec column, JsonParser parser)
      throws IOException, DecodeException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    boolean text = column.type() == ColumnType.STRING;
    boolean bool = parser.currentToken().isBoolean();
    if (!text
        && (parser.currentToken().isStructStart()
            || parser.currentToken() == JsonToken.VALUE_STRING
            || bool != (column.type() == ColumnType.BOOLEAN))) {
      throw DecodeException.mismatch(
          "row %d has %s in column %s, which is %s: name another type in the decode spec"
              .formatted(
                  table.row(),
                  kind(parser.currentToken()),
                  DecodeException.quoted(column.name()),
                  column.type().text()));
    }
    table.set(position, text(parser));
  }

  private static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a text";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      default -> "a number";
    };
  }

  private static String text(JsonParser parser) throws IOException {
    if (!parser.currentToken().isStructStart()) {
      return parser.getText();
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = new JsonFactory().createGenerator(text)) {
      generator.copyCurrentStructureExact(parser);
    }
    return text.toString();
  }

  private List<ColumnSpec> columns(ObjectBytes source) throws DecodeException {
    if (!spec.columns().isEmpty()) {
      limits.checkSource(source.size());
      return spec.columns();
    }
    return reading(source, this::guessed);
  }

  private List<ColumnSpec> guessed(JsonParser parser) throws IOException, DecodeException {
    Map<String, TypeGuess> guesses = new LinkedHashMap<>();
    for (int i = 0; i < TypeGuess.ROWS && nextObject(parser); i++) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        TypeGuess guess = guesses.computeIfAbsent(parser.currentName(), _ -> new TypeGuess());
        TextTable.checkCount(guesses.size(), limits);
        see(guess, parser);
      }
    }
    if (guesses.containsKey("")) {
      throw DecodeException.unsupported("a key of the JSON objects is empty");
    }
    return guesses.entrySet().stream()
        .map(entry -> new ColumnSpec(entry.getKey(), entry.getValue().type()))
        .toList();
  }

  private static void see(TypeGuess guess, JsonParser parser) throws IOException {
    switch (parser.nextToken()) {
      case VALUE_NULL -> {}
      case VALUE_TRUE, VALUE_FALSE -> guess.see(ColumnType.BOOLEAN);
      // 64 bits or not, as text tells
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> guess.see(parser.getText());
      default -> {
        guess.see(ColumnType.STRING);
        parser.skipChildren();
      }
    }
  }

  private static boolean nextObject(JsonParser parser) throws IOException, DecodeException {
    JsonToken token = parser.nextToken();
    if (token != null && token != JsonToken.START_OBJECT) {
      throw DecodeException.corrupt(
          "a line of the file is no JSON object (byte %d)"
              .formatted(parser.currentTokenLocation().getByteOffset()));
    }
    return token != null;
  }

  private <T> T reading(ObjectBytes source, Reading<T> reading) throws DecodeException {
    limits.checkSource(source.size());
    try (JsonParser parser = json.createParser(source.stream())) {
      return reading.read(parser);
    } catch (StreamConstraintsException e) {
      throw new DecodeException(
          DecodeFault.TOO_LARGE, "a JSON value is nested too deep, or too long", e);
    } catch (JsonEOFException e) {
      throw new DecodeException(DecodeFault.TRUNCATED, "the last JSON object has no end", e);
    } catch (IOException e) {
      throw new DecodeException(DecodeFault.CORRUPT, "the file is not well-formed JSON lines", e);
    }
  }
}
