package io.penstock.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a file with every key of a section. A key that may be left out and has no default is
 * commented out by a {@code #} with nothing after it; removing that character brings it in.
 */
final class ExampleFile {
  private static final int WIDTH = 88;

  private ExampleFile() {}

  static List<String> lines(SectionSchema section) {
    List<String> lines = new ArrayList<>();
    for (KeySchema key : section.keys()) {
      String doc = key.rules().doc();
      if (key.rules().fromFile()) {
        doc += " Or " + key.fileName() + ": a file that holds it.";
      }
      wrap(doc).forEach(line -> lines.add("# " + line));
      body(key).forEach(line -> lines.add(key.optional() ? "#" + line : line));
    }
    return lines;
  }

  private static List<String> body(KeySchema key) {
    List<String> lines = new ArrayList<>();
    switch (key.shape()) {
      case Shape.Nested(var type) -> {
        lines.add(key.name() + ":");
        lines(SectionSchema.of(type)).forEach(line -> lines.add("  " + line));
      }
      case Shape.Many(Shape.Nested(var type)) -> {
        lines.add(key.name() + ":");
        boolean first = true;
        for (String line : lines(SectionSchema.of(type))) {
          boolean starts = first && !line.startsWith("#");
          lines.add((starts ? "  - " : "    ") + line);
          first &= !starts;
        }
      }
      case Shape.Value _, Shape.Many _ -> {
        String value =
            key.preset().isPresent() ? key.rules().defaultValue() : key.rules().example();
        lines.add(key.name() + ": " + value);
      }
    }
    return lines;
  }

  private static List<String> wrap(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
