package io.penstock.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Replaces a variable's name between <code>${</code> and <code>}</code>, with or without a default
 * after a colon, by what the environment holds; <code>$${</code> stands for the characters <code>${
 * </code>. A variable that is set and empty counts as not set, so its default is taken, as shells
 * do with <code>:-</code>. What a variable holds is not searched again.
 */
record Placeholders(Map<String, String> environment) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  Placeholders {
    environment = Map.copyOf(environment);
  }

  /**
   * The text after replacement.
   *
   * @param used whether there was a placeholder at all
   * @param mistakes what could not be replaced; the text is of no use then
   */
  record Expansion(String text, boolean used, List<String> mistakes) {}

  Expansion expand(String raw) {
    StringBuilder text = new StringBuilder();
    List<String> mistakes = new ArrayList<>();
    boolean used = false;
    int from = 0;
    for (int at = raw.indexOf("${"); at >= 0; at = raw.indexOf("${", from)) {
      if (at > from && raw.charAt(at - 1) == '$') {
        text.append(raw, from, at - 1).append("${");
        from = at + 2;
        continue;
      }
      used = true;
      text.append(raw, from, at);
      int end = raw.indexOf('}', at);
      if (end < 0) {
        mistakes.add("'${' without its '}'; write '$${' to mean the characters themselves");
        return new Expansion("", true, mistakes);
      }
      text.append(replace(raw.substring(at + 2, end), mistakes));
      from = end + 1;
    }
    text.append(raw, from, raw.length());
    return new Expansion(text.toString(), used, mistakes);
  }

  private String replace(String inside, List<String> mistakes) {
    int colon = inside.indexOf(':');
    String name = colon < 0 ? inside : inside.substring(0, colon);
    if (!NAME.matcher(name).matches()) {
      mistakes.add(
          "'${' must be followed by the name of an environment variable; write '$${' to mean the"
              + " characters themselves");
      return "";
    }
    if (inside.contains("${")) {
      mistakes.add("the default of ${" + name + ":...} cannot hold another ${...}");
      return "";
    }
    String value = environment.getOrDefault(name, "");
    if (!value.isEmpty()) {
      return value;
    }
    if (colon < 0) {
      String state = environment.containsKey(name) ? " is empty" : " is not set";
      mistakes.add(
          "environment variable " + name + state + "; set it, or write ${" + name + ":default}");
      return "";
    }
    return inside.substring(colon + 1);
  }
}
