package io.penstock.gateway.transform;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.dpu.transform.model.FrozenPrefix;
import java.lang.foreign.MemorySegment;

/**
 * Decodes a picture and applies frozen layers to it: one sample by itself, so that what it becomes
 * depends on nothing else.
 *
 * <p>Threading: any number of codec threads.
 *
 * <p>Ownership: of nothing; the prefix must stay open while samples are decoded.
 */
final class FeatureDecoder implements TensorDecoder {
  private final TensorDecoder pixels;
  private final FrozenPrefix prefix;
  private final Scratch scratch;
  private final ComputeObserver observer;

  FeatureDecoder(
      TensorDecoder pixels, FrozenPrefix prefix, Scratch scratch, ComputeObserver observer) {
    this.pixels = pixels;
    this.prefix = prefix;
    this.scratch = scratch;
    this.observer = observer;
  }

  @Override
  public TensorSpec tensor() {
    return prefix.cut().spec();
  }

  @Override
  public void decode(ObjectBytes source, long item, MemorySegment destination)
      throws DecodeException {
    TensorDecoder.checkDestination(tensor(), destination);
    long bytes = pixels.tensor().bytesPerSample();
    MemorySegment place = scratch.take(bytes);
    try {
      MemorySegment sample = place.asSlice(0, bytes);
      pixels.decode(source, item, sample);
      long begun = System.nanoTime();
      prefix.apply(sample, 1, destination);
      observer.computed(System.nanoTime() - begun);
    } finally {
      scratch.giveBack(place);
    }
  }
}
