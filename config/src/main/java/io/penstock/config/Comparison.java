package io.penstock.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One walk over two records of the same type.
 *
 * @param touched files with new content
 * @param reloadable paths of the differences a running gateway can take on
 * @param fixed paths of all other differences
 */
record Comparison(Set<Path> touched, List<String> reloadable, List<String> fixed) {

  void sections(Record before, Record after, String path, boolean reloads) {
    for (KeySchema key : SectionSchema.of(before.getClass()).keys()) {
      values(
          SectionSchema.get(before, key),
          SectionSchema.get(after, key),
          path.isEmpty() ? key.name() : path + "." + key.name(),
          reloads || key.rules().reloadable());
    }
  }

  private void values(Object before, Object after, String path, boolean reloads) {
    if (before instanceof Optional<?> a && after instanceof Optional<?> b) {
      if (a.isPresent() && b.isPresent()) {
        values(a.get(), b.get(), path, reloads);
      } else if (a.isPresent() || b.isPresent()) {
        changed(path, reloads);
      }
    } else if (before instanceof List<?> a && after instanceof List<?> b) {
      lists(a, b, path, reloads);
    } else if (isSection(before)) {
      sections((Record) before, (Record) after, path, reloads);
    } else if (!before.equals(after) || (after instanceof Path file && touched.contains(file))) {
      changed(path, reloads);
    }
  }

  private void lists(List<?> before, List<?> after, String path, boolean reloads) {
    boolean sections = before.stream().allMatch(Comparison::isSection);
    if (before.size() != after.size() || (!sections && !before.equals(after))) {
      changed(path, reloads);
      return;
    }
    for (int i = 0; sections && i < before.size(); i++) {
      values(before.get(i), after.get(i), path + "[" + i + "]", reloads);
    }
  }

  private static boolean isSection(Object value) {
    return value instanceof Record && Shape.of(value.getClass()) instanceof Shape.Nested;
  }

  private void changed(String path, boolean reloads) {
    (reloads ? reloadable : fixed).add(path);
  }
}
