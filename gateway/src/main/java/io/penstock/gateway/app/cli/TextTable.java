package io.penstock.gateway.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of text in columns just wide enough: the first to the left, the others, figures, right. */
final class TextTable {
  private static final String GAP = "   ";
  private final List<List<String>> rows = new ArrayList<>();

  TextTable row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /** The lines, each ending in a line feed, a rule below the first. */
  String format() {
    int columns = rows.getFirst().size();
    var widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (List<String> row : rows) {
      text.append(line(row, widths));
      if (text.length() > 0 && row == rows.getFirst()) {
        text.append(line(rule(widths), widths));
      }
    }
    return text.toString();
  }

  private static List<String> rule(int[] widths) {
    return java.util.Arrays.stream(widths).mapToObj("-"::repeat).collect(Collectors.toList());
  }

  private static String line(List<String> cells, int[] widths) {
    var text = new StringBuilder("  ");
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      text.append(i == 0 ? "" : GAP)
          .append(i == 0 ? cells.get(i) + padding : padding + cells.get(i));
    }
    return text.toString().stripTrailing() + "\n";
  }
}
