package io.penstock.config.yaml;

/** The lines of a text, to keep positions inside it. */
final class SourceText {
  private final String[] lines;

  SourceText(String text) {
    this.lines = text.split("\r\n|\r|\n", -1);
  }

  /** A position that an editor can jump to: the end of the file counts as its last line. */
  Position clamp(int line, int column) {
    int last = lines.length;
    while (last > 1 && lines[last - 1].isBlank()) {
      last--;
    }
    return line <= last ? new Position(line, column) : new Position(last, 1);
  }

  String line(int number) {
    return number <= lines.length ? lines[number - 1] : "";
  }

  /** The position of the character with this index, counted in code points. */
  static Position at(String text, int codePoints) {
    int line = 1;
    int column = 1;
    int index = 0;
    for (int seen = 0; seen < codePoints && index < text.length(); seen++) {
      int point = text.codePointAt(index);
      index += Character.charCount(point);
      column = point == '\n' ? 1 : column + 1;
      line += point == '\n' ? 1 : 0;
    }
    return new Position(line, column);
  }
}
