package io.penstock.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word somebody meant. */
final class Suggestions {
  private static final int LONGEST = 64;

  private Suggestions() {}

  /** The known word nearest to {@code word}, if it is near enough to be a slip. */
  static Optional<String> closest(String word, Collection<String> known) {
    if (word.length() > LONGEST) {
      return Optional.empty();
    }
    String typed = bare(word);
    return known.stream()
        .filter(candidate -> distance(typed, bare(candidate)) <= allowed(candidate))
        .min(Comparator.comparingInt(candidate -> distance(typed, bare(candidate))));
  }

  /** The end of a message: {@code ; did you mean x?} or nothing. */
  static String hint(String word, Collection<String> known) {
    return closest(word, known).map(best -> "; did you mean " + best + "?").orElse("");
  }

  private static int allowed(String candidate) {
    return candidate.length() <= 4 ? 1 : candidate.length() <= 8 ? 2 : 3;
  }

  // maxBody, max_body and max-body are the same word
  private static String bare(String word) {
    return word.replaceAll("[-_. ]", "").toLowerCase(Locale.ROOT);
  }

  /** Edits (insert, delete, replace, swap of neighbours) between two words. */
  static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(edits[i - 1][j] + 1, edits[i][j - 1] + 1);
        best = Math.min(best, edits[i - 1][j - 1] + replace);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, edits[i - 2][j - 2] + 1);
        }
        edits[i][j] = best;
      }
    }
    return edits[a.length()][b.length()];
  }
}
