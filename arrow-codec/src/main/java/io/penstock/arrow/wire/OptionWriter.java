package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;

/** Writes a decoder and its options as a request has them. */
final class OptionWriter {
  private OptionWriter() {}

  /** An object with {@code as} and the options in their order. */
  static void write(JsonGenerator json, DecodeRequest decode) throws IOException {
    json.writeStartObject();
    json.writeStringField("as", decode.as());
    fields(json, decode.options().values());
    json.writeEndObject();
  }

  private static void fields(JsonGenerator json, Map<String, OptionValue> fields)
      throws IOException {
    for (var field : fields.entrySet()) {
      json.writeFieldName(field.getKey());
      value(json, field.getValue());
    }
  }

  private static void value(JsonGenerator json, OptionValue value) throws IOException {
    switch (value) {
      case OptionValue.Text(String text) -> json.writeString(text);
      case OptionValue.Whole(long number) -> json.writeNumber(number);
      case OptionValue.Real(double number) -> json.writeNumber(number);
      case OptionValue.Flag(boolean flag) -> json.writeBoolean(flag);
      case OptionValue.Many many -> {
        json.writeStartArray();
        for (OptionValue element : many.values()) {
          value(json, element);
        }
        json.writeEndArray();
      }
      case OptionValue.Fields fields -> {
        json.writeStartObject();
        fields(json, fields.values());
        json.writeEndObject();
      }
    }
  }
}
