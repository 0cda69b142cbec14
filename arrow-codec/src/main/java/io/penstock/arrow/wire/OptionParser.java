package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonToken;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Reads {@code decode}: the name of a decoder, or an object with it and its options. */
final class OptionParser {
  private static final int LONGEST_NAME = 64;
  private static final int MOST_VALUES = 2000;

  private final JsonCursor json;
  private final SequencedMap<String, OptionValue> options = new LinkedHashMap<>();
  private String as = "";
  private int values;

  OptionParser(JsonCursor json) {
    this.json = json;
  }

  DecodeRequest read() throws IOException, RequestException {
    if (json.at(JsonToken.VALUE_STRING)) {
      as = json.text(LONGEST_NAME);
    } else {
      SequencedMap<String, JsonCursor.Step> known = new LinkedHashMap<>();
      known.put("as", () -> as = json.text(LONGEST_NAME));
      json.fields(known, name -> options.put(name, value()));
      if (as.isEmpty()) {
        throw json.meaning("\"decode\" has no \"as\": name a decoder, or \"raw\" for the bytes");
      }
    }
    if (as.equals(DecodeRequest.RAW_NAME) && !options.isEmpty()) {
      throw json.meaning(
          "\"raw\" has no options: remove \"" + options.firstEntry().getKey() + "\"");
    }
    return new DecodeRequest(as, fields(options));
  }

  private OptionValue value() throws IOException, RequestException {
    values++;
    if (values > MOST_VALUES) {
      throw json.problem(Kind.TOO_LARGE, "more than %d options".formatted(MOST_VALUES));
    }
    if (json.at(JsonToken.VALUE_STRING)) {
      return new OptionValue.Text(json.string());
    }
    if (json.at(JsonToken.VALUE_NUMBER_INT)) {
      return new OptionValue.Whole(json.whole(Long.MIN_VALUE, Long.MAX_VALUE));
    }
    if (json.at(JsonToken.VALUE_NUMBER_FLOAT)) {
      return new OptionValue.Real(json.real());
    }
    if (json.at(JsonToken.START_ARRAY)) {
      List<OptionValue> elements = new ArrayList<>();
      json.array("of options", () -> elements.add(value()));
      return new OptionValue.Many(elements);
    }
    if (json.at(JsonToken.START_OBJECT)) {
      SequencedMap<String, OptionValue> fields = new LinkedHashMap<>();
      json.fields(new LinkedHashMap<>(), name -> fields.put(name, value()));
      return fields(fields);
    }
    if (json.at(JsonToken.VALUE_NULL)) {
      throw json.meaning("null means nothing here: leave the field out");
    }
    return new OptionValue.Flag(json.flag());
  }

  private static OptionValue.Fields fields(SequencedMap<String, OptionValue> fields) {
    return new OptionValue.Fields(Collections.unmodifiableSequencedMap(fields));
  }
}
