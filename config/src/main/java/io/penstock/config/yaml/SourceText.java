package io.penstock.config.yaml;

import java.util.BitSet;
import java.util.regex.Pattern;

/**
 * A text as lines. Lines that hold a syntax error can be taken out, which leaves them empty, so
 * that everything else keeps its place.
 */
record SourceText(String[] lines, BitSet removed) {
  private static final Pattern BREAK = Pattern.compile("\r\n|\r|\n");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*$");

  static SourceText of(String text) {
    return new SourceText(BREAK.split(text, -1), new BitSet());
  }

  String text() {
    return String.join("\n", lines);
  }

  /** A position that an editor can jump to: what comes after the last line counts as that line. */
  Position clamp(int line, int column) {
    int last = lines.length;
    while (last > 1 && lines[last - 1].isBlank()) {
      last--;
    }
    return line <= last ? new Position(line, column) : new Position(last, 1);
  }

  /** The line without its comment; the first line is number 1. */
  String code(int number) {
    return number > lines.length
        ? ""
        : COMMENT.matcher(lines[number - 1]).replaceFirst("").stripTrailing();
  }

  /** Whether a line was taken out of what stands from {@code first} to {@code last}. */
  boolean misses(int first, int last) {
    int start = first;
    // what was taken out right above may have been its first line
    while (start > 1 && lines[start - 2].isBlank()) {
      start--;
    }
    int next = removed.nextSetBit(start);
    return next >= 0 && next <= last;
  }

  /** The same text without one line, and without the lines that belong to it. */
  SourceText without(int number) {
    String[] rest = lines.clone();
    BitSet gone = BitSet.valueOf(removed.toLongArray());
    String code = code(number);
    rest[number - 1] = "";
    gone.set(number);
    boolean opens =
        code.endsWith(":") || code.stripLeading().startsWith("-") || !code.contains(": ");
    for (int next = number + 1; opens && next <= rest.length; next++) {
      if (!code(next).isBlank() && indent(code(next)) <= indent(code)) {
        break;
      }
      rest[next - 1] = "";
      gone.set(next);
    }
    return new SourceText(rest, gone);
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  /** The position of the character with this index, counted in code points. */
  Position at(int codePoints) {
    int left = codePoints;
    for (int i = 0; i < lines.length; i++) {
      int length = lines[i].codePointCount(0, lines[i].length());
      if (left <= length) {
        return clamp(i + 1, left + 1);
      }
      left -= length + 1;
    }
    return clamp(lines.length, 1);
  }
}
