package io.penstock.dpu.transform.store;

import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenPrefix;
import java.lang.foreign.MemorySegment;

/** The part before the input: nothing is computed. */
record UntouchedPrefix(Cut cut) implements FrozenPrefix {

  @Override
  public void apply(MemorySegment input, int samples, MemorySegment output) {
    long bytes = cut.bytesPerSample() * samples;
    if (input.byteSize() != bytes || output.byteSize() != bytes) {
      throw new IllegalArgumentException(
          samples
              + " samples have "
              + bytes
              + " bytes, not "
              + input.byteSize()
              + " and "
              + output.byteSize());
    }
    output.copyFrom(input);
  }

  @Override
  public void close() {
    // holds nothing
  }
}
