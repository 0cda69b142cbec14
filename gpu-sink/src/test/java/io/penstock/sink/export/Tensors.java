package io.penstock.sink.export;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.Region;
import java.lang.foreign.MemorySegment;

/** Five samples of 3 x 4 x 2 floats, 0 to 119, with something before and behind them. */
final class Tensors {
  static final long OFFSET = 64;
  static final long SAMPLES = 5;
  static final int ELEMENTS = 120;
  static final long SUM = ELEMENTS * (ELEMENTS - 1) / 2;
  static final TensorSpec SPEC = TensorSpec.plain(DType.FLOAT32, 3, 4, 2);

  private Tensors() {}

  @SuppressWarnings("unchecked")
  static <R extends Region> R region(Arena arena) {
    float[] values = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      values[i] = i;
    }
    Region region = arena.allocate(OFFSET + ELEMENTS * Float.BYTES + OFFSET);
    region.copyIn(OFFSET, MemorySegment.ofArray(values));
    return (R) region;
  }

  static TensorView view(Region region) {
    return new TensorView(region, OFFSET, SPEC, SAMPLES);
  }
}
