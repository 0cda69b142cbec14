package io.penstock.arrow.wire;

/** The type of the {@code label} column; one for a whole stream. */
public enum LabelType {
  /** There is no such column. */
  NONE,
  INT64,
  FLOAT64,
  UTF8;

  /**
   * The type that holds labels of this type and {@code label}: whole numbers widen to real ones.
   */
  LabelType with(Label label) {
    return switch (label) {
      case Label.None _ -> this;
      case Label.Whole _ -> this == NONE ? INT64 : this == UTF8 ? mixed() : this;
      case Label.Real _ -> this == UTF8 ? mixed() : FLOAT64;
      case Label.Text _ -> this == NONE || this == UTF8 ? UTF8 : mixed();
    };
  }

  private static LabelType mixed() {
    throw new IllegalArgumentException(
        "labels are all numbers or all text: write numbers as text where both occur");
  }
}
