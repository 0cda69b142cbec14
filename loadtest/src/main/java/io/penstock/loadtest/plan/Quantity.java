package io.penstock.loadtest.plan;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write them: {@code 100KiB}, {@code 1MB}, {@code 250ms}. */
public final class Quantity {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");
  private static final Map<String, Long> BYTES =
      Map.of(
          "",
          1L,
          "B",
          1L,
          "kB",
          1_000L,
          "KB",
          1_000L,
          "MB",
          1_000_000L,
          "GB",
          1_000_000_000L,
          "KiB",
          1L << 10,
          "MiB",
          1L << 20,
          "GiB",
          1L << 30);
  private static final Map<String, Double> NANOS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "h", 3600e9);
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Quantity() {}

  /**
   * Bytes.
   *
   * @throws IllegalArgumentException when the text is not a number and a unit; the message says
   *     what is
   */
  public static long bytes(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    Long unit = matcher.matches() ? BYTES.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size; write for example 4096, 100KiB, 1MiB or 5GB");
    }
    return (long) (Double.parseDouble(matcher.group(1)) * unit);
  }

  /**
   * A length of time.
   *
   * @throws IllegalArgumentException when the text is not a number and a unit; the message says
   *     what is
   */
  public static Duration duration(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    Double unit = matcher.matches() ? NANOS.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; write for example 250ms, 10s or 2m");
    }
    return Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * unit));
  }

  /** Bytes with the largest binary unit that leaves a number of 1 or more. */
  public static String text(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    boolean whole = value == Math.rint(value);
    return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", value, BINARY[unit]);
  }
}
