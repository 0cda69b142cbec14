package io.penstock.sink.export;

import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.sink.arena.Region;
import java.util.Objects;

/**
 * A column of tensors in a region: {@code samples} of one form, one after the other.
 *
 * <p>Ownership: the region stays its holder's; an export says when the consumer is done with it.
 *
 * @param offset where the first sample begins in the region, in bytes
 */
public record TensorView(Region region, long offset, TensorSpec spec, long samples) {
  /**
   * @throws IndexOutOfBoundsException if the region does not hold that many samples there
   */
  public TensorView {
    if (samples < 0) {
      throw new IndexOutOfBoundsException("a column cannot have " + samples + " samples");
    }
    Objects.checkFromIndexSize(
        offset, Math.multiplyExact(samples, spec.bytesPerSample()), region.bytes());
  }

  /** Address of the first element, for the region's device. */
  long address() {
    return region.address() + offset;
  }
}
