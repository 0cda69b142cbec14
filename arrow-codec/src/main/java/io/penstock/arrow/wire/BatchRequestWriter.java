package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.arrow.epoch.EpochSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Writes a request as {@link BatchRequestReader} reads it: reading what was written gives the same
 * request. Every field is written out, so that a later default changes nothing.
 */
public final class BatchRequestWriter {
  private static final JsonFactory JSON = new JsonFactory();

  private BatchRequestWriter() {}

  /** The request as JSON in UTF-8. */
  public static byte[] json(BatchRequest request) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("version", BatchRequest.VERSION);
      json.writeStringField("bucket", request.bucket());
      source(json, request.source());
      json.writeFieldName("decode");
      OptionWriter.write(json, request.decode());
      delivery(json, request.delivery());
      if (request.epoch().isPresent()) {
        epoch(json, request.epoch().get());
      }
      if (request.transform().isPresent()) {
        json.writeObjectFieldStart("transform");
        json.writeStringField("model", request.transform().get().model());
        json.writeStringField("split", request.transform().get().split());
        json.writeEndObject();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void source(JsonGenerator json, ItemSource source) throws IOException {
    switch (source) {
      case ItemSource.Listed(ItemList items) -> {
        json.writeArrayFieldStart("items");
        for (int i = 0; i < items.size(); i++) {
          item(json, items.get(i));
        }
        json.writeEndArray();
      }
      case ItemSource.Prefix(String prefix) -> json.writeStringField("prefix", prefix);
      case ItemSource.Manifest manifest -> {
        json.writeObjectFieldStart("manifest");
        json.writeStringField("key", manifest.key());
        if (manifest.versionId().isPresent()) {
          json.writeStringField("version-id", manifest.versionId().get());
        }
        json.writeEndObject();
      }
    }
  }

  private static void item(JsonGenerator json, Item item) throws IOException {
    if (item.equals(Item.of(item.key()))) {
      json.writeString(item.key());
      return;
    }
    json.writeStartObject();
    json.writeStringField("key", item.key());
    if (item.versionId().isPresent()) {
      json.writeStringField("version-id", item.versionId().get());
    }
    if (item.range().isPresent()) {
      json.writeObjectFieldStart("range");
      json.writeNumberField("offset", item.range().get().offset());
      json.writeNumberField("length", item.range().get().length());
      json.writeEndObject();
    }
    if (item.member().isPresent()) {
      json.writeStringField("member", item.member().get());
    }
    switch (item.label()) {
      case Label.None() -> {}
      case Label.Whole(long number) -> json.writeNumberField("label", number);
      case Label.Real(double number) -> json.writeNumberField("label", number);
      case Label.Text(String text) -> json.writeStringField("label", text);
    }
    json.writeEndObject();
  }

  private static void delivery(JsonGenerator json, Delivery delivery) throws IOException {
    json.writeNumberField("batch-size", delivery.batchSize());
    json.writeStringField("order", word(delivery.order()));
    json.writeStringField("on-error", word(delivery.onError()));
    json.writeStringField("compression", delivery.compression().text());
    json.writeStringField("tensors", word(delivery.tensors()));
    switch (delivery.landing()) {
      case Delivery.Landing.Response() -> json.writeStringField("landing", "response");
      case Delivery.Landing.Ring(String name) -> {
        json.writeObjectFieldStart("landing");
        json.writeStringField("ring", name);
        json.writeEndObject();
      }
    }
  }

  private static void epoch(JsonGenerator json, EpochSpec epoch) throws IOException {
    json.writeObjectFieldStart("epoch");
    switch (epoch.order()) {
      case EpochSpec.Listed() -> json.writeBooleanField("shuffle", false);
      case EpochSpec.Shuffled(long seed, long number) -> {
        json.writeNumberField("seed", seed);
        json.writeNumberField("number", number);
      }
    }
    json.writeNumberField("rank", epoch.share().rank());
    json.writeNumberField("world-size", epoch.share().worldSize());
    json.writeStringField("tail", word(epoch.tail()));
    json.writeNumberField("resume-at", epoch.resumeAt());
    json.writeEndObject();
  }

  /** An enum's constant as the protocol writes it. */
  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
