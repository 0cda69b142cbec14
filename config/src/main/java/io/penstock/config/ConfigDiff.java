package io.penstock.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What differs between two configurations, and whether a running gateway can take it on. */
public sealed interface ConfigDiff {
  /** Dotted paths of the keys that differ, in the order of the reference. */
  List<String> paths();

  /** Everything that differs can change while the gateway runs; no paths: nothing differs. */
  record Reloadable(List<String> paths) implements ConfigDiff {
    public Reloadable {
      paths = List.copyOf(paths);
    }
  }

  /**
   * Something differs that is fixed when the gateway starts.
   *
   * @param paths only the keys that need the restart
   */
  record RestartRequired(List<String> paths) implements ConfigDiff {
    public RestartRequired {
      paths = List.copyOf(paths);
    }
  }

  static ConfigDiff between(GatewayConfig before, GatewayConfig after) {
    return between(before, after, Set.of());
  }

  /**
   * Compares two configurations.
   *
   * @param touched files with new content: a key that names one of them counts as changed
   */
  static ConfigDiff between(GatewayConfig before, GatewayConfig after, Set<Path> touched) {
    Comparison comparison = new Comparison(touched, new ArrayList<>(), new ArrayList<>());
    comparison.sections(before, after, "", false);
    return comparison.fixed().isEmpty()
        ? new Reloadable(comparison.reloadable())
        : new RestartRequired(comparison.fixed());
  }
}
