package io.penstock.gateway.transform;

import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.wire.BatchRequest;
import java.util.Map;
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
  private final Map<String, String> words;
  private final ComputeQueue.Lane lane;
  private final Runnable release;

  AppliedTransform(
      BatchRequest request,
      TensorDecoder decoder,
      Map<String, String> words,
      ComputeQueue.Lane lane,
      Runnable release) {
    this.request = request;
    this.decoder = decoder;
    this.words = words;
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
    return words;
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
