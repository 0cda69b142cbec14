package io.penstock.config.yaml;

import java.util.List;
import java.util.Optional;

/**
 * What was read from one text. After a syntax error the root still holds what came before it, with
 * the open nodes marked as not complete, so that mistakes in that part can be reported too.
 *
 * @param root empty when the text holds no value
 * @param findings mistakes of the text itself, in the order they were met
 */
public record YamlDocument(Optional<YamlNode> root, List<Finding> findings) {
  public YamlDocument {
    findings = List.copyOf(findings);
  }

  /** One mistake; the message holds no piece of the text. */
  public record Finding(Position at, String message) {}
}
