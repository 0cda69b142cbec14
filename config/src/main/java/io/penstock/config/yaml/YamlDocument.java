package io.penstock.config.yaml;

import java.util.List;
import java.util.Optional;

/**
 * What was read from one text. Where a line could not be read, the nodes around it are marked as
 * not complete.
 *
 * @param root empty when the text holds no value
 * @param findings mistakes of the text itself, the syntax errors first
 */
public record YamlDocument(Optional<YamlNode> root, List<Finding> findings) {
  public YamlDocument {
    findings = List.copyOf(findings);
  }

  /** One mistake; the message holds no piece of the text. */
  public record Finding(Position at, String message) {}
}
