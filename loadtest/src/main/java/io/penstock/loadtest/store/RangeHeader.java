package io.penstock.loadtest.store;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One byte range as RFC 9110 section 14.1.2 writes it; -1 stands for a missing number.
 *
 * <p>Threading: immutable.
 */
record RangeHeader(long from, long to) {
  private static final Pattern FORM = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /** The range, or empty when the header must be ignored: invalid, or several ranges. */
  static Optional<RangeHeader> parse(String header) {
    Matcher matcher = FORM.matcher(header.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var range = new RangeHeader(number(matcher.group(1)), number(matcher.group(2)));
    boolean nothing = range.from < 0 && range.to < 0;
    boolean reversed = range.from >= 0 && range.to >= 0 && range.to < range.from;
    return nothing || reversed ? Optional.empty() : Optional.of(range);
  }

  private static long number(String digits) {
    return digits.isEmpty() ? -1 : Long.parseLong(digits);
  }

  /** The first byte of an object of {@code size} bytes. */
  long first(long size) {
    return from >= 0 ? from : Math.max(0, size - to);
  }

  /** How many bytes there are; 0 or less when the range cannot be satisfied. */
  long length(long size) {
    if (from < 0) {
      return Math.min(to, size);
    }
    long last = to < 0 ? size - 1 : Math.min(to, size - 1);
    return last - from + 1;
  }
}
