package io.penstock.config.yaml;

import java.util.List;

/** One value of the file and where it starts. Aliases are already replaced by what they name. */
public sealed interface YamlNode {
  Position at();

  /** Text as it was written. {@code plain}: without quotes and not a block of lines. */
  record Scalar(String text, boolean plain, Position at) implements YamlNode {
    /** True for nothing at all, {@code ~} and {@code null}; the quoted words are text. */
    public boolean isNull() {
      return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }
  }

  /** A list. Not {@code complete}: the text could not be read up to its end. */
  record Sequence(List<YamlNode> items, boolean complete, Position at) implements YamlNode {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** Keys and values in the order of the file; a key that is there twice is here twice. */
  record Mapping(List<Entry> entries, boolean complete, Position at) implements YamlNode {
    public Mapping {
      entries = List.copyOf(entries);
    }

    /** A mapping that stands for a section nobody wrote. */
    public static Mapping empty(Position at) {
      return new Mapping(List.of(), true, at);
    }
  }

  /** A key with its value. */
  record Entry(String key, Position keyAt, YamlNode value) {}

  /** A value that could not be read; a finding says why. */
  record Broken(Position at) implements YamlNode {}
}
