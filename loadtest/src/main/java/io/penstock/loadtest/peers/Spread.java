package io.penstock.loadtest.peers;

import java.util.Arrays;
import java.util.Locale;

/** The median of several rounds, and how far they lay apart. */
public record Spread(double median, double min, double max) {
  /** Of the finite ones among {@code values}; a window without any CPU tick proves nothing. */
  public static Spread of(double[] values) {
    double[] sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN);
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** {@code median (min..max)}, with as many digits as the size of the number deserves. */
  public String text() {
    return Double.isNaN(median)
        ? "-"
        : digits(median) + " (" + digits(min) + ".." + digits(max) + ")";
  }

  /** The median alone. */
  public String medianText() {
    return Double.isNaN(median) ? "-" : digits(median);
  }

  public static String digits(double value) {
    double size = Math.abs(value);
    String form = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, size > 0 && size < 0.1 ? "%.3f" : form, value);
  }
}
