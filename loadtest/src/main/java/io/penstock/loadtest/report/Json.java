package io.penstock.loadtest.report;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes JSON (RFC 8259) from maps, iterables, numbers, booleans and text; objects keep the order
 * of their maps. Writing only: nothing here is read back.
 *
 * <p>Threading: any.
 */
public final class Json {
  private final StringBuilder out = new StringBuilder();

  private Json() {}

  /** The text of {@code value}, indented. */
  public static String text(Object value) {
    var json = new Json();
    json.write(value, "\n");
    return json.out.append('\n').toString();
  }

  /** A map in the order of its arguments: name, value, name, value. */
  public static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  private void write(Object value, String newline) {
    switch (value) {
      case Map<?, ?> map -> writeAll(map.entrySet().iterator(), '{', '}', newline);
      case Iterable<?> list -> writeAll(list.iterator(), '[', ']', newline);
      case Double number when number.isNaN() || number.isInfinite() -> out.append("null");
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 ->
          out.append(number.longValue());
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      default -> quote(value.toString());
    }
  }

  private void writeAll(Iterator<?> items, char open, char close, String newline) {
    out.append(open);
    String inner = newline + "  ";
    boolean any = false;
    while (items.hasNext()) {
      out.append(any ? "," : "").append(inner);
      any = true;
      Object item = items.next();
      if (item instanceof Map.Entry<?, ?> entry) {
        quote(String.valueOf(entry.getKey()));
        out.append(": ");
        write(entry.getValue(), inner);
      } else {
        write(item, inner);
      }
    }
    out.append(any ? newline : "").append(close);
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          // '<' too, so that JSON can stand inside a script element
          if (c < ' ' || c == '<') {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
