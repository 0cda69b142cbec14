package io.penstock.k8s;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** One rendered object, read by paths like {@code spec.template.spec.containers.0.image}. */
record Manifest(Map<?, ?> tree) {

  String kind() {
    return text("kind");
  }

  String name() {
    return text("metadata.name");
  }

  String text(String path) {
    return String.valueOf(at(path));
  }

  int number(String path) {
    return ((Number) at(path)).intValue();
  }

  List<?> list(String path) {
    return (List<?>) at(path);
  }

  boolean has(String path) {
    return find(path) != null;
  }

  Object at(String path) {
    Object found = find(path);
    if (found == null) {
      throw new NoSuchElementException(path + " in " + tree);
    }
    return found;
  }

  /** One file of a ConfigMap. */
  String file(String name) {
    return String.valueOf(((Map<?, ?>) at("data")).get(name));
  }

  /** Null where there is nothing. */
  private Object find(String path) {
    Object here = tree;
    for (String step : path.split("\\.")) {
      here =
          switch (here) {
            case Map<?, ?> map -> map.get(step);
            case List<?> list when Integer.parseInt(step) < list.size() ->
                list.get(Integer.parseInt(step));
            case null, default -> null;
          };
    }
    return here;
  }

  static Manifest one(List<Manifest> all, String kind) {
    List<Manifest> found = all.stream().filter(it -> it.kind().equals(kind)).toList();
    if (found.size() != 1) {
      throw new NoSuchElementException(found.size() + " of kind " + kind);
    }
    return found.getFirst();
  }

  static boolean none(List<Manifest> all, String kind) {
    return all.stream().noneMatch(it -> it.kind().equals(kind));
  }

  static Manifest named(List<Manifest> all, String kind, String name) {
    return all.stream()
        .filter(it -> it.kind().equals(kind) && it.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException(kind + " " + name));
  }
}
