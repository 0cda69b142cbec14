package io.penstock.gateway.observe;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * One flat JSON object on one line. A general JSON library costs an event loop several times as
 * much for each request.
 *
 * <p>Threading: not thread safe.
 */
final class JsonLine {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** The second that was written last, and how it reads. */
  private record Written(long second, String text) {}

  private static volatile Written last = new Written(0, SECOND.format(Instant.EPOCH));

  private final StringBuilder text = new StringBuilder(384).append('{');

  JsonLine put(String name, String value) {
    name(name).append('"');
    escape(value);
    text.append('"');
    return this;
  }

  JsonLine put(String name, long value) {
    name(name).append(value);
    return this;
  }

  /** UTC with microseconds, as RFC 3339 has it. */
  JsonLine put(String name, Instant time) {
    Written second = last;
    if (second.second() != time.getEpochSecond()) {
      second = new Written(time.getEpochSecond(), SECOND.format(time));
      last = second;
    }
    name(name).append('"').append(second.text()).append('.');
    String micros = Integer.toString(1_000_000 + time.getNano() / 1_000);
    text.append(micros, 1, micros.length()).append("Z\"");
    return this;
  }

  String end() {
    return text.append('}').toString();
  }

  private StringBuilder name(String name) {
    if (text.length() > 1) {
      text.append(',');
    }
    return text.append('"').append(name).append("\":");
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || (c >= 0x7F && c < 0xA0) || Character.isSurrogate(c)) {
        // a lone surrogate has no bytes in UTF-8; a pair reads the same escaped
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
  }
}
