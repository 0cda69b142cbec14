package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonToken;
import io.penstock.arrow.epoch.EpochSpec;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.wire.Delivery.Landing;
import io.penstock.arrow.wire.Delivery.OnError;
import io.penstock.arrow.wire.Delivery.Order;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/** The grammar of one request, with its defaults. */
final class RequestParser {
  private static final int DEFAULT_BATCH = 256;
  private static final int LONGEST_BUCKET = 63;
  private static final int LONGEST_KEY = 1024;
  private static final int LONGEST_NAME = 256;

  private static final SequencedMap<String, Order> ORDERS =
      words("strict", Order.STRICT, "as-ready", Order.AS_READY);
  private static final SequencedMap<String, OnError> ON_ERRORS =
      words("fail", OnError.FAIL, "continue", OnError.CONTINUE);
  private static final SequencedMap<String, TensorField.Form> TENSORS =
      words("extension", TensorField.Form.EXTENSION, "list", TensorField.Form.LIST);

  private final JsonCursor json;
  private final RequestLimits limits;
  private boolean versioned;
  private String bucket = "";
  private Optional<ItemSource> source = Optional.empty();
  private DecodeRequest decode =
      new DecodeRequest(
          DecodeRequest.RAW_NAME,
          new OptionValue.Fields(Collections.unmodifiableSequencedMap(new LinkedHashMap<>())));
  private int batchSize = DEFAULT_BATCH;
  private Order order = Order.STRICT;
  private OnError onError = OnError.CONTINUE;
  private Compression compression = Compression.NONE;
  private TensorField.Form tensors = TensorField.Form.EXTENSION;
  private Landing landing = new Landing.Response();
  private Optional<EpochSpec> epoch = Optional.empty();
  private Optional<TransformRequest> transform = Optional.empty();
  private String key = "";
  private Optional<String> versionId = Optional.empty();
  private String model = "";
  private String split = TransformRequest.AUTO;
  private String ring = "";

  RequestParser(JsonCursor json, RequestLimits limits) {
    this.json = json;
    this.limits = limits;
  }

  BatchRequest read() throws IOException, RequestException {
    json.object(fields());
    if (!versioned) {
      throw json.meaning("\"version\" is missing: write \"version\": " + BatchRequest.VERSION);
    }
    if (bucket.isEmpty()) {
      throw json.meaning("\"bucket\" is missing");
    }
    if (source.isEmpty()) {
      throw json.meaning("write one of \"items\", \"prefix\", \"manifest\"");
    }
    return new BatchRequest(
        bucket,
        source.get(),
        decode,
        new Delivery(batchSize, order, onError, compression, tensors, landing),
        epoch,
        transform);
  }

  private SequencedMap<String, JsonCursor.Step> fields() {
    SequencedMap<String, JsonCursor.Step> fields = new LinkedHashMap<>();
    fields.put("version", this::version);
    fields.put("bucket", () -> bucket = json.text(LONGEST_BUCKET));
    fields.put("items", () -> from(items()));
    fields.put("prefix", () -> from(prefix()));
    fields.put("manifest", () -> from(manifest()));
    fields.put("decode", this::decode);
    fields.put("batch-size", () -> batchSize = (int) json.whole(1, limits.batchSize()));
    fields.put("order", () -> order = json.choice(ORDERS));
    fields.put("on-error", () -> onError = json.choice(ON_ERRORS));
    fields.put("compression", () -> compression = json.choice(compressions()));
    fields.put("tensors", () -> tensors = json.choice(TENSORS));
    fields.put("epoch", () -> epoch = Optional.of(new EpochParser(json).read()));
    fields.put("transform", () -> transform = Optional.of(transform()));
    fields.put("landing", () -> landing = landing());
    return fields;
  }

  private void version() throws IOException, RequestException {
    if (json.whole(1, Integer.MAX_VALUE) != BatchRequest.VERSION) {
      throw json.meaning("this gateway speaks version " + BatchRequest.VERSION + " only");
    }
    versioned = true;
  }

  private void decode() throws IOException, RequestException {
    decode = new OptionParser(json).read();
    try {
      DecodeOptions.checked(decode);
    } catch (RequestException e) {
      throw json.at(e.problem());
    }
  }

  private void from(ItemSource named) throws RequestException {
    if (source.isPresent()) {
      throw json.meaning(
          "items come from one of \"items\", \"prefix\", \"manifest\", not from two");
    }
    source = Optional.of(named);
  }

  private ItemSource items() throws IOException, RequestException {
    ItemParser items = new ItemParser(json, limits.items());
    json.array("of keys in quotes, or of objects with a \"key\"", items::read);
    return new ItemSource.Listed(items.build());
  }

  private ItemSource prefix() throws IOException, RequestException {
    // an empty prefix is the whole bucket, and has to be written to be meant
    boolean empty = json.at(JsonToken.VALUE_STRING) && json.string().isEmpty();
    return new ItemSource.Prefix(empty ? "" : json.text(LONGEST_KEY));
  }

  private ItemSource manifest() throws IOException, RequestException {
    if (json.at(JsonToken.VALUE_STRING)) {
      return new ItemSource.Manifest(json.text(LONGEST_KEY), Optional.empty());
    }
    SequencedMap<String, JsonCursor.Step> fields = new LinkedHashMap<>();
    fields.put("key", () -> key = json.text(LONGEST_KEY));
    fields.put("version-id", () -> versionId = Optional.of(json.text(LONGEST_KEY)));
    json.object(fields);
    if (key.isEmpty()) {
      throw json.meaning("the manifest has no \"key\"");
    }
    return new ItemSource.Manifest(key, versionId);
  }

  private TransformRequest transform() throws IOException, RequestException {
    SequencedMap<String, JsonCursor.Step> fields = new LinkedHashMap<>();
    fields.put("model", () -> model = json.text(LONGEST_NAME));
    fields.put("split", () -> split = json.text(LONGEST_NAME));
    json.object(fields);
    if (model.isEmpty()) {
      throw json.meaning("the transform has no \"model\"");
    }
    return new TransformRequest(model, split);
  }

  private Landing landing() throws IOException, RequestException {
    if (json.at(JsonToken.VALUE_STRING)) {
      return json.<Landing>choice(words("response", new Landing.Response()));
    }
    SequencedMap<String, JsonCursor.Step> fields = new LinkedHashMap<>();
    fields.put("ring", () -> ring = json.text(LONGEST_NAME));
    json.object(fields);
    if (ring.isEmpty()) {
      throw json.meaning("write \"response\", or an object with the name of a \"ring\"");
    }
    return new Landing.Ring(ring);
  }

  private static SequencedMap<String, Compression> compressions() {
    SequencedMap<String, Compression> words = new LinkedHashMap<>();
    for (Compression value : Compression.values()) {
      words.put(value.text(), value);
    }
    return words;
  }

  private static <T> SequencedMap<String, T> words(String word, T value) {
    SequencedMap<String, T> words = new LinkedHashMap<>();
    words.put(word, value);
    return words;
  }

  private static <T> SequencedMap<String, T> words(String first, T one, String second, T other) {
    SequencedMap<String, T> words = words(first, one);
    words.put(second, other);
    return words;
  }
}
