package io.penstock.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written {@code 64KiB}, {@code 5GiB}, {@code 1MB} or a plain number in YAML.
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,19}) ?([A-Za-z]{0,3})");

  private static final Map<String, Long> UNITS =
      Map.of(
          "", 1L,
          "b", 1L,
          "kb", 1_000L,
          "mb", 1_000_000L,
          "gb", 1_000_000_000L,
          "tb", 1_000_000_000_000L,
          "kib", 1L << 10,
          "mib", 1L << 20,
          "gib", 1L << 30,
          "tib", 1L << 40);

  private static final List<String> WRITTEN = List.of("TiB", "GiB", "MiB", "KiB");

  /**
   * Reads a size. Units are powers of 1000 (kB, MB, GB, TB) or of 1024 (KiB, MiB, GiB, TiB).
   *
   * @return empty when the text is no size, or more than a long holds
   */
  public static Optional<ByteSize> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    Long unit = UNITS.get(form.group(2).toLowerCase(Locale.ROOT));
    if (unit == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ByteSize(Math.multiplyExact(Long.parseLong(form.group(1)), (long) unit)));
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** The size in the largest unit of 1024 that shows it exactly. */
  @Override
  public String toString() {
    for (String unit : WRITTEN) {
      long size = UNITS.getOrDefault(unit.toLowerCase(Locale.ROOT), 1L);
      if (bytes != 0 && bytes % size == 0) {
        return bytes / size + unit;
      }
    }
    return Long.toString(bytes);
  }
}
