package io.penstock.config;

import io.penstock.config.yaml.YamlNode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reports a key that its section does not know, with the key that was probably meant. A word that
 * does not look like a key, or that nothing follows, is not repeated: it may be a secret whose key
 * was forgotten.
 */
final class UnknownKeys {
  private static final Pattern KEY = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,39}");

  private final Problems problems;

  UnknownKeys(Problems problems) {
    this.problems = problems;
  }

  void report(SectionSchema section, YamlNode.Entry entry, String path) {
    String key = entry.key();
    boolean shown =
        KEY.matcher(key).matches()
            && !(entry.value() instanceof YamlNode.Scalar scalar && scalar.isNull());
    String where = shown ? (path.isEmpty() ? key : path + "." + key) : path;
    problems.add(where, entry.keyAt(), message(section, key, shown));
  }

  private static String message(SectionSchema section, String key, boolean shown) {
    if (key.equals("<<")) {
      return "merge keys (<<) are not used here; write the keys out";
    }
    String start = shown ? "is not a key of this section" : "this is not a key of this section";
    Optional<String> near = Suggestions.closest(key, section.names());
    if (near.isPresent()) {
      return start + "; did you mean " + near.get() + "?";
    }
    Optional<String> other = SectionSchema.of(GatewayConfig.class).sectionOf(key, "");
    if (other.isPresent()) {
      return start + "; it belongs under " + other.get();
    }
    if (!shown && key.contains(":")) {
      return start + "; put a space after the ':'";
    }
    return start + ", which knows " + String.join(", ", section.names());
  }
}
