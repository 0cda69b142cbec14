package io.penstock.config.yaml;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parser's complaints in words that say what to do, at the line where the mistake was made. The
 * parser's own words are never passed on: they are jargon, and some of them repeat a piece of the
 * file.
 */
final class SyntaxMessages {
  private static final String UNKNOWN =
      "this is not valid YAML; check the quotes, colons and indentation on this line and the one"
          + " above";
  private static final String OPEN_QUOTE = "a quote is opened here and never closed";
  private static final String NO_COLON =
      "a key without its ':'; write 'key: value', or indent the line if it belongs to the one above";

  /** A part of the parser's complaint, and what to say; the first that fits is taken. */
  private static final Map<String, String> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("TAB", "a tab cannot be used here; indent with spaces");
    WORDS.put(
        "mapping values are not allowed",
        "a ':' is not expected here; indent the key like its neighbours, or put a value that holds"
            + " ': ' in quotes");
    WORDS.put("could not find expected ':'", NO_COLON);
    WORDS.put("expected ',' or '}'", "expected ',' or '}' in this { } section");
    WORDS.put("expected ',' or ']'", "expected ',' or ']' in this [ ] list");
    WORDS.put(
        "expected <block end>",
        "the indentation fits no line above; keys of one section start in the same column");
    WORDS.put("unexpected end of stream", OPEN_QUOTE);
    WORDS.put("unexpected document separator", OPEN_QUOTE);
    WORDS.put("escape", "an unknown escape in double quotes; use single quotes to keep a '\\'");
    WORDS.put(
        "that cannot start any token",
        "this character cannot start a value; put the value in quotes");
    WORDS.put("undefined tag handle", "tags (!name) are not used here; remove it");
    WORDS.put("block sequence entries are not allowed", "a '- ' item is not expected here");
  }

  private SyntaxMessages() {}

  static SyntaxError controlCharacter(Position at) {
    return new SyntaxError(at, "a control character is not allowed here; remove it", true);
  }

  static SyntaxError unknown(Position at) {
    return new SyntaxError(at, UNKNOWN, true);
  }

  /**
   * @param complaint the parser's words
   * @param problem where it stopped
   * @param context where what it was reading began
   */
  static SyntaxError explain(
      String complaint, Position problem, Position context, SourceText source) {
    String message =
        WORDS.entrySet().stream()
            .filter(word -> complaint.contains(word.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(UNKNOWN);
    if (message.equals(OPEN_QUOTE) || message.equals(NO_COLON)) {
      return new SyntaxError(context, message, true);
    }
    if (message.startsWith("expected ','")) {
      return flow(message, problem, context, source);
    }
    return new SyntaxError(problem, message, true);
  }

  /** A bracket left open shows lines later; the line that opened it is the one to mend. */
  private static SyntaxError flow(
      String message, Position problem, Position context, SourceText source) {
    String opening = source.code(context.line());
    boolean overLines = opening.endsWith("{") || opening.endsWith("[") || opening.endsWith(",");
    if (problem.line() > context.line() && !overLines) {
      String bracket = message.contains("'}'") ? "'{' without its '}'" : "'[' without its ']'";
      return new SyntaxError(context, bracket + "; close it on this line", true);
    }
    String hint =
        source.code(problem.line()).contains("${")
            ? "; inside { } and [ ] put \"${NAME}\" in double quotes"
            : "";
    return new SyntaxError(problem, message + hint, true);
  }
}
