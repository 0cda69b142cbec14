package io.penstock.config;

import java.util.List;

/** What came of reading a configuration. */
public sealed interface ConfigResult {
  /** A configuration that passed every check. */
  record Loaded(GatewayConfig config) implements ConfigResult {}

  /** Everything that is wrong, in the order of the file; never empty. */
  record Invalid(List<Problem> problems) implements ConfigResult {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }
}
