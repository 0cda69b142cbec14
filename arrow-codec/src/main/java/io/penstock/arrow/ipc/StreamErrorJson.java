package io.penstock.arrow.ipc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The error as it stands in the metadata of the last message. */
final class StreamErrorJson {
  private static final JsonFactory JSON = new JsonFactory();

  private StreamErrorJson() {}

  static String write(StreamError error) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("code", error.code());
      json.writeStringField("message", error.message());
      json.writeBooleanField("retryable", error.retryable());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** Reads what a later version wrote, too: fields that it does not know are passed over. */
  static StreamError read(@Nullable String text) {
    StreamError unreadable =
        new StreamError("InternalError", "the stream failed, and its writer gave no reason", false);
    if (text == null) {
      return unreadable;
    }
    try {
      return parse(text, unreadable);
    } catch (IOException e) {
      return unreadable;
    }
  }

  private static StreamError parse(String text, StreamError unreadable) throws IOException {
    String code = unreadable.code();
    String message = unreadable.message();
    boolean retryable = false;
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return unreadable;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value == JsonToken.VALUE_STRING && "code".equals(name)) {
          code = json.getText();
        } else if (value == JsonToken.VALUE_STRING && "message".equals(name)) {
          message = json.getText();
        } else if ("retryable".equals(name)) {
          retryable = value == JsonToken.VALUE_TRUE;
        } else {
          json.skipChildren();
        }
      }
    }
    return new StreamError(code, message, retryable);
  }
}
