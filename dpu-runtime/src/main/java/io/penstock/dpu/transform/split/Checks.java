package io.penstock.dpu.transform.split;

/** What every figure of this package must be. */
final class Checks {
  private Checks() {}

  static void notNegative(String name, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be a finite number from 0, not " + value);
    }
  }

  static void positive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be a finite number above 0, not " + value);
    }
  }

  static void notNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be a number from 0, not " + value);
    }
  }

  static void positive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be a number from 1, not " + value);
    }
  }
}
