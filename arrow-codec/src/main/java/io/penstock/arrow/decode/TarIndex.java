package io.penstock.arrow.decode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The regular files of a tar archive, in its order, so that any of them can be fetched by its
 * range.
 *
 * <p>Threading: immutable.
 */
public final class TarIndex {

  /**
   * The files of a WebDataset shard that belong together: neighbours with the same name up to the
   * first dot of their last path segment.
   *
   * @param key directories and stem
   * @param members what follows that dot, in lower case, to the file
   */
  public record Sample(String key, Map<String, TarEntry> members) {}

  private final List<TarEntry> entries;
  private final Map<String, TarEntry> byName;

  TarIndex(List<TarEntry> entries) {
    this.entries = List.copyOf(entries);
    this.byName = new LinkedHashMap<>();
    entries.forEach(entry -> byName.put(entry.name(), entry));
  }

  public List<TarEntry> entries() {
    return entries;
  }

  /** The file of that name; of several, the last, as {@code tar -x} would leave it. */
  public Optional<TarEntry> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * The shard's samples. Files without a dot in their last segment, and hidden ones, belong to
   * none.
   *
   * @throws DecodeException if one sample has two files of one extension
   */
  public List<Sample> samples() throws DecodeException {
    List<Sample> samples = new ArrayList<>();
    String current = "";
    Map<String, TarEntry> members = new LinkedHashMap<>();
    for (TarEntry entry : entries) {
      int dot = entry.name().indexOf('.', entry.name().lastIndexOf('/') + 1);
      if (dot <= entry.name().lastIndexOf('/') + 1) {
        continue;
      }
      String key = entry.name().substring(0, dot);
      if (!key.equals(current) && !members.isEmpty()) {
        samples.add(new Sample(current, Collections.unmodifiableMap(new LinkedHashMap<>(members))));
        members.clear();
      }
      current = key;
      String extension = entry.name().substring(dot + 1).toLowerCase(Locale.ROOT);
      if (members.putIfAbsent(extension, entry) != null) {
        throw DecodeException.corrupt(
            "sample %s has two files .%s"
                .formatted(DecodeException.quoted(key), DecodeException.quoted(extension)));
      }
    }
    if (!members.isEmpty()) {
      samples.add(new Sample(current, Collections.unmodifiableMap(new LinkedHashMap<>(members))));
    }
    return samples;
  }
}
