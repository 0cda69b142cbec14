package io.penstock.loadtest.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a consumer printed: lines {@code metric NAME VALUE}, {@code note TEXT}, {@code skip REASON};
 * anything else is a library's chatter and passed over.
 *
 * @param figures by name
 * @param notes how it was set up
 * @param skipped why it did not run
 */
record ConsumerSaid(Map<String, Double> figures, List<String> notes, Optional<String> skipped) {

  /**
   * Reads the lines.
   *
   * @throws NumberFormatException if a metric is no number
   */
  static ConsumerSaid of(List<String> lines) {
    Map<String, Double> figures = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    Optional<String> skipped = Optional.empty();
    for (String line : lines) {
      String[] words = line.split(" ", 3);
      if (words[0].equals("metric") && words.length == 3) {
        figures.put(words[1], Double.parseDouble(words[2]));
      } else if (line.startsWith("note ")) {
        notes.add(line.substring(5));
      } else if (line.startsWith("skip ")) {
        skipped = Optional.of(line.substring(5));
      }
    }
    return new ConsumerSaid(figures, notes, skipped);
  }
}
