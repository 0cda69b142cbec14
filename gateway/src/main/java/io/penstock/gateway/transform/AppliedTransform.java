package io.penstock.gateway.transform;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.wire.BatchRequest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The transform of one stream, ready to run.
 *
 * <p>Threading: any thread.
 *
 * <p>Ownership: whoever opened it closes it; the model stays open until everything that was handed
 * to {@link #lane} is done.
 */
public final class AppliedTransform implements AutoCloseable {
  private final BatchRequest request;
  private final TensorDecoder decoder;
  private final Features features;
  private final Optional<String> recipe;
  private final ComputeQueue.Lane lane;
  private final Runnable release;

  AppliedTransform(
      BatchRequest request,
      TensorDecoder decoder,
      Features features,
      Optional<String> recipe,
      ComputeQueue.Lane lane,
      Runnable release) {
    this.request = request;
    this.decoder = decoder;
    this.features = features;
    this.recipe = recipe;
    this.lane = lane;
    this.release = release;
  }

  /** The request with the split that was chosen and the decoding that is done. */
  public BatchRequest request() {
    return request;
  }

  /** Makes activations of objects. */
  public TensorDecoder decoder() {
    return decoder;
  }

  /** Metadata of the schema, beside what the request says. */
  public Map<String, String> words() {
    return features.words();
  }

  /**
   * What the features of an object can be kept under, beside its ETag; empty if nothing is applied
   * or the lot decides about what is.
   */
  public Optional<String> recipe() {
    return recipe;
  }

  /**
   * Makes the activations of one object, in the lane.
   *
   * @param source the object, off-heap, from position to limit
   * @param destination off-heap, as long as a sample, from position to limit
   */
  public void apply(ByteBuffer source, ByteBuffer destination) throws DecodeException {
    decoder.decode(
        ObjectBytes.of(MemorySegment.ofBuffer(source)), 0, MemorySegment.ofBuffer(destination));
  }

  /** Where {@link #decoder} runs. */
  public Executor lane() {
    return lane;
  }

  @Override
  public void close() {
    lane.close(release);
  }
}
