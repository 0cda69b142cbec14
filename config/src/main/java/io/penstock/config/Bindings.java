package io.penstock.config;

import io.penstock.config.yaml.Position;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Every single value that could be read, by its path. It is what cross-checks look at, so that a
 * mistake in one section hides no mistake between two others.
 */
final class Bindings {
  private final Map<String, Located<?>> values = new HashMap<>();
  private final Map<String, Integer> sizes = new HashMap<>();

  /**
   * A value and where it stands.
   *
   * @param written false for a default
   */
  record Located<T>(T value, String path, Position at, boolean written) {}

  void put(String path, Object value, Position at, boolean written) {
    values.put(path, new Located<>(value, path, at, written));
  }

  void putSize(String path, int items) {
    sizes.put(path, items);
  }

  <T> Optional<Located<T>> find(String path, Class<T> type) {
    Located<?> found = values.get(path);
    return found != null && type.isInstance(found.value())
        ? Optional.of(new Located<>(type.cast(found.value()), path, found.at(), found.written()))
        : Optional.empty();
  }

  /** Number of items written in the list, the wrong ones included. */
  int size(String path) {
    return sizes.getOrDefault(path, 0);
  }
}
