package io.penstock.arrow.decode;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The type of a column whose values are seen one by one: the narrowest of boolean, int64, float64
 * and string that fits all of them; a column of nulls is string. Numbers with leading zeros are
 * text, because they are codes more often than numbers.
 */
final class TypeGuess {

  /** Rows that are looked at before types are settled. */
  static final int ROWS = 1000;

  private static final int LONG_DIGITS = 18;
  private static final Pattern INTEGER =
      Pattern.compile("-?(0|[1-9]\\d{0," + (LONG_DIGITS - 1) + "})");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d{0,99})(\\.\\d{1,100})?([eE][+-]?\\d{1,3})?");
  private static final int LONGEST_NUMBER = 210;

  private Optional<ColumnType> type = Optional.empty();

  void see(String text) {
    see(typeOf(text));
  }

  void see(ColumnType seen) {
    type = Optional.of(type.map(known -> wider(known, seen)).orElse(seen));
  }

  ColumnType type() {
    return type.orElse(ColumnType.STRING);
  }

  private static ColumnType wider(ColumnType one, ColumnType other) {
    if (one == other) {
      return one;
    }
    return isNumber(one) && isNumber(other) ? ColumnType.FLOAT64 : ColumnType.STRING;
  }

  private static boolean isNumber(ColumnType type) {
    return type == ColumnType.INT64 || type == ColumnType.FLOAT64;
  }

  private static ColumnType typeOf(String text) {
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return ColumnType.BOOLEAN;
    }
    if (text.length() > LONGEST_NUMBER) {
      return ColumnType.STRING;
    }
    if (INTEGER.matcher(text).matches()) {
      return ColumnType.INT64;
    }
    return NUMBER.matcher(text).matches() ? ColumnType.FLOAT64 : ColumnType.STRING;
  }
}
