package io.penstock.config.yaml;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parser's complaints in words that say what to do. The parser's own words are never passed on:
 * they are jargon, and some of them repeat a piece of the file.
 */
final class SyntaxMessages {
  private static final String ANYTHING_ELSE =
      "this is not valid YAML; check the quotes, colons and indentation on this line and the one"
          + " above";

  private static final Map<String, String> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("TAB", "a tab cannot be used here; indent with spaces");
    WORDS.put(
        "mapping values are not allowed",
        "a second ':' is not expected here; put the value in quotes, or the key on a line of its"
            + " own, indented like its neighbours");
    WORDS.put(
        "could not find expected ':'",
        "a key without its ':'; write 'key: value', or indent the line if it belongs to the one"
            + " above");
    WORDS.put("expected ',' or '}'", "expected ',' or '}' in this { } section");
    WORDS.put("expected ',' or ']'", "expected ',' or ']' in this [ ] list");
    WORDS.put(
        "expected <block end>",
        "the indentation fits no line above; keys of one section start in the same column");
    WORDS.put("unexpected end of stream", "a quote is opened and never closed");
    WORDS.put("unexpected document separator", "a quote is opened and never closed");
    WORDS.put("escape", "an unknown escape in double quotes; use single quotes to keep '\\'");
    WORDS.put(
        "that cannot start any token",
        "this character cannot start a value; put the value in quotes");
    WORDS.put("special characters are not allowed", "a control character is not allowed here");
    WORDS.put("undefined tag handle", "tags (!name) are not used here; remove it");
    WORDS.put("duplicate %", "remove the % directive");
    WORDS.put("block entries are not allowed", "a '-' item is not expected here");
  }

  private SyntaxMessages() {}

  static String of(String problem, String line) {
    String message =
        WORDS.entrySet().stream()
            .filter(word -> problem.contains(word.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(ANYTHING_ELSE);
    if (message.startsWith("expected ','") && line.contains("${")) {
      return message + "; inside { } and [ ] put \"${NAME}\" in double quotes";
    }
    return message;
  }
}
