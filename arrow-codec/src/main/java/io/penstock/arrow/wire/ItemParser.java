package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonToken;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads items, of requests and of manifests alike: a key in quotes, or an object. */
final class ItemParser {
  private static final int LONGEST_KEY = 1024;
  private static final int LONGEST_TEXT = 4096;

  private final JsonCursor json;
  private final int most;
  private final ItemList.Builder items = new ItemList.Builder();
  private final Map<String, JsonCursor.Step> fields = new LinkedHashMap<>();
  private final Map<String, JsonCursor.Step> rangeFields = new LinkedHashMap<>();
  private String key = "";
  private Optional<String> versionId = Optional.empty();
  private Optional<Item.Range> range = Optional.empty();
  private Optional<String> member = Optional.empty();
  private Label label = Label.NONE;
  private long offset;
  private long length;

  ItemParser(JsonCursor json, int most) {
    this.json = json;
    this.most = most;
    fields.put("key", () -> key = json.text(LONGEST_KEY));
    fields.put("version-id", () -> versionId = Optional.of(json.text(LONGEST_TEXT)));
    fields.put("range", this::range);
    fields.put("member", () -> member = Optional.of(json.text(LONGEST_TEXT)));
    fields.put("label", () -> label = label());
    rangeFields.put("offset", () -> offset = json.whole(0, Long.MAX_VALUE));
    rangeFields.put("length", () -> length = json.whole(1, Long.MAX_VALUE));
  }

  /** Reads the item on which the cursor is. */
  void read() throws IOException, RequestException {
    if (items.size() == most) {
      throw json.problem(
          Kind.TOO_LARGE,
          "more than %d items: send several requests, or name them in a manifest".formatted(most));
    }
    Item item;
    if (json.at(JsonToken.VALUE_STRING)) {
      item = Item.of(json.text(LONGEST_KEY));
    } else if (json.at(JsonToken.START_OBJECT)) {
      item = object();
    } else {
      throw json.meaning("write an item here: a key in quotes, or an object with a \"key\"");
    }
    try {
      items.add(item);
    } catch (IllegalArgumentException e) {
      throw json.meaning(String.valueOf(e.getMessage()));
    }
  }

  private Item object() throws IOException, RequestException {
    key = "";
    versionId = Optional.empty();
    range = Optional.empty();
    member = Optional.empty();
    label = Label.NONE;
    json.object(fields);
    if (key.isEmpty()) {
      throw json.meaning("the item has no \"key\"");
    }
    if (range.isPresent() && member.isPresent()) {
      throw json.meaning("an item is a \"range\" or a \"member\", not both");
    }
    return new Item(key, versionId, range, member, label);
  }

  ItemList build() {
    return items.build();
  }

  private void range() throws IOException, RequestException {
    offset = -1;
    length = -1;
    json.object(rangeFields);
    if (offset < 0 || length < 0) {
      throw json.meaning("a range has an \"offset\" and a \"length\"");
    }
    if (offset > Long.MAX_VALUE - length) {
      throw json.meaning("the range ends beyond any object");
    }
    range = Optional.of(new Item.Range(offset, length));
  }

  private Label label() throws IOException, RequestException {
    if (json.at(JsonToken.VALUE_STRING)) {
      return new Label.Text(json.text(LONGEST_TEXT));
    }
    if (json.at(JsonToken.VALUE_NUMBER_INT)) {
      return new Label.Whole(json.whole(Long.MIN_VALUE, Long.MAX_VALUE));
    }
    if (json.at(JsonToken.VALUE_NUMBER_FLOAT)) {
      return new Label.Real(json.real());
    }
    throw json.meaning("a label is a number or a text in quotes");
  }
}
