package io.penstock.arrow.decode;

import io.penstock.arrow.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/**
 * A decoder of samples that all have one shape.
 *
 * <p>Threading: as {@link Decoder}.
 *
 * <p>Ownership: source and destination stay the caller's.
 */
public non-sealed interface TensorDecoder extends Decoder {

  /** What every sample looks like. */
  TensorSpec tensor();

  /**
   * Writes one sample. After a failure the destination holds anything.
   *
   * @param item the item's number in its batch or epoch; with the seed of the spec it decides what
   *     is random
   * @param destination off-heap, exactly {@link TensorSpec#bytesPerSample} long; nothing outside of
   *     it is touched
   * @throws IllegalArgumentException if the destination is on the heap or has another length
   */
  void decode(ObjectBytes source, long item, MemorySegment destination) throws DecodeException;

  /** Refuses a destination that cannot take the sample. */
  static void checkDestination(TensorSpec tensor, MemorySegment destination) {
    if (!destination.isNative() || destination.byteSize() != tensor.bytesPerSample()) {
      throw new IllegalArgumentException(
          "a sample needs %d bytes off-heap, got %s"
              .formatted(tensor.bytesPerSample(), destination));
    }
  }
}
