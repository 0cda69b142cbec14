package io.penstock.arrow.wire;

import java.util.List;
import java.util.SequencedMap;

/** A decoder's option as the request has it; what it means is the decoder's to say. */
public sealed interface OptionValue {
  record Text(String value) implements OptionValue {}

  record Whole(long value) implements OptionValue {}

  record Real(double value) implements OptionValue {}

  record Flag(boolean value) implements OptionValue {}

  record Many(List<OptionValue> values) implements OptionValue {
    public Many {
      values = List.copyOf(values);
    }
  }

  record Fields(SequencedMap<String, OptionValue> values) implements OptionValue {}
}
