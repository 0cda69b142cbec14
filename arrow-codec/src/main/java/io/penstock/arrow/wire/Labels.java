package io.penstock.arrow.wire;

import java.util.BitSet;

/** Labels by row, all of one type; whole numbers become real ones when the first of those comes. */
final class Labels {
  private final BitSet present = new BitSet();
  private final LongColumn numbers = new LongColumn();
  private final TextColumn texts = new TextColumn();
  private LabelType type = LabelType.NONE;

  /** Rows are set in rising order. */
  void set(int row, Label label) {
    LabelType wider = type.with(label);
    if (wider == LabelType.FLOAT64 && type == LabelType.INT64) {
      for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
        numbers.set(i, Double.doubleToRawLongBits((double) numbers.get(i)));
      }
    }
    type = wider;
    switch (label) {
      case Label.None _ -> {
        return;
      }
      case Label.Whole(long value) ->
          numbers.set(
              row, type == LabelType.INT64 ? value : Double.doubleToRawLongBits((double) value));
      case Label.Real(double value) -> numbers.set(row, Double.doubleToRawLongBits(value));
      case Label.Text(String value) -> texts.set(row, value);
    }
    present.set(row);
  }

  LabelType type() {
    return type;
  }

  Label get(int row) {
    if (!present.get(row)) {
      return Label.NONE;
    }
    return switch (type) {
      case NONE -> Label.NONE;
      case INT64 -> new Label.Whole(numbers.get(row));
      case FLOAT64 -> new Label.Real(Double.longBitsToDouble(numbers.get(row)));
      case UTF8 -> new Label.Text(texts.get(row).orElse(""));
    };
  }

  long heapBytes() {
    return present.size() / Byte.SIZE + numbers.heapBytes() + texts.heapBytes();
  }
}
