package io.penstock.arrow.tensor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Tensors in a schema: a fixed-size list whose metadata gives the shape and the names of the
 * dimensions, as Arrow's canonical extension type {@code arrow.fixed_shape_tensor} has them. {@code
 * permutation} is not written, because samples are stored in the order that was asked for.
 */
public final class TensorField {
  private static final String NAME_KEY = "ARROW:extension:name";
  private static final String METADATA_KEY = "ARROW:extension:metadata";
  private static final String NAME = "arrow.fixed_shape_tensor";
  private static final String PLAIN_KEY = "penstock.tensor";
  private static final JsonFactory JSON = new JsonFactory();

  private TensorField() {}

  /** How a tensor column is declared. */
  public enum Form {
    /** As {@code arrow.fixed_shape_tensor}. */
    EXTENSION,
    /**
     * As a plain list, with the same words under a key of ours: for readers that refuse extension
     * types that they do not know, as Polars does.
     */
    LIST
  }

  /** The nullable field of a tensor column. */
  public static Field of(String name, TensorSpec spec, Form form) {
    Field element = new Field("item", FieldType.notNullable(spec.dtype().arrowType()), List.of());
    Map<String, String> metadata =
        switch (form) {
          case EXTENSION -> Map.of(NAME_KEY, NAME, METADATA_KEY, metadata(spec));
          case LIST -> Map.of(PLAIN_KEY, metadata(spec));
        };
    ArrowType list = new ArrowType.FixedSizeList(spec.elements());
    return new Field(name, new FieldType(true, list, null, metadata), List.of(element));
  }

  /** What a tensor column holds; nothing if the field is none, or of a form that we never write. */
  public static Optional<TensorSpec> spec(Field field) {
    Map<String, String> words = field.getMetadata();
    String metadata =
        words.getOrDefault(NAME.equals(words.get(NAME_KEY)) ? METADATA_KEY : PLAIN_KEY, "");
    if (metadata.isEmpty() || !(field.getType() instanceof ArrowType.FixedSizeList list)) {
      return Optional.empty();
    }
    return DType.of(field.getChildren().getFirst().getType())
        .flatMap(dtype -> parse(dtype, metadata))
        .filter(spec -> spec.elements() == list.getListSize());
  }

  private static String metadata(TensorSpec spec) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("shape");
      for (int length : spec.shape()) {
        json.writeNumber(length);
      }
      json.writeEndArray();
      if (!spec.layout().dimNames().isEmpty()) {
        json.writeArrayFieldStart("dim_names");
        for (String name : spec.layout().dimNames()) {
          json.writeString(name);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static Optional<TensorSpec> parse(DType dtype, String metadata) {
    List<Integer> shape = new ArrayList<>();
    List<String> names = new ArrayList<>();
    try (JsonParser json = JSON.createParser(metadata)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() != JsonToken.START_ARRAY) {
          return Optional.empty();
        }
        for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
          switch (name) {
            case "shape" -> shape.add(json.getIntValue());
            case "dim_names" -> names.add(json.getText());
            case "permutation" -> {
              if (json.getIntValue() != i) {
                return Optional.empty();
              }
            }
            default -> {
              return Optional.empty();
            }
          }
        }
      }
      return Optional.of(new TensorSpec(dtype, shape, layout(names)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Layout layout(List<String> names) {
    for (Layout layout : Layout.values()) {
      if (layout.dimNames().equals(names)) {
        return layout;
      }
    }
    return Layout.PLAIN;
  }
}
