package io.penstock.dpu.transform.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.penstock.dpu.transform.model.ModelException;
import java.lang.foreign.MemorySegment;

/**
 * How networks are computed.
 *
 * @param provider what computes
 * @param threads of one session, beside the one that calls it; 1 leaves all work to the caller
 */
public record Compute(Provider provider, int threads) {

  /** What computes; nothing but the CPU unless asked for. */
  public enum Provider {
    CPU,
    /** The first CUDA device, through ONNX Runtime's build for it. */
    CUDA
  }

  public Compute {
    if (threads < 1) {
      throw new IllegalArgumentException("a session needs at least one thread, not " + threads);
    }
  }

  /** The calling thread alone: the best when many batches are computed at once. */
  public static Compute onCaller() {
    return new Compute(Provider.CPU, 1);
  }

  /**
   * Fails with a word of advice if this machine or build has not what was asked for.
   *
   * @throws ModelException {@link ModelException.Reason#FAILED}
   */
  public void check() {
    if (provider == Provider.CUDA
        && !OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)) {
      throw new ModelException(
          ModelException.Reason.FAILED,
          "this build of ONNX Runtime has no CUDA: put onnxruntime_gpu in the place of onnxruntime, or"
              + " compute on the CPU");
    }
  }

  static OrtEnvironment environment() {
    return OrtStart.environment();
  }

  /** A session over a model in memory, which may be freed afterwards. */
  OrtSession session(MemorySegment model) throws OrtException {
    try (SessionOptions options = options()) {
      if (provider == Provider.CUDA) {
        check();
        options.addCUDA();
      }
      return environment().createSession(model.asByteBuffer(), options);
    }
  }

  /** A session in which nothing is computed before it runs. */
  OrtSession plainSession(MemorySegment model) throws OrtException {
    try (SessionOptions options = options()) {
      options.setOptimizationLevel(SessionOptions.OptLevel.NO_OPT);
      return environment().createSession(model.asByteBuffer(), options);
    }
  }

  private SessionOptions options() throws OrtException {
    SessionOptions options = new SessionOptions();
    options.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
    options.setIntraOpNumThreads(threads);
    options.setInterOpNumThreads(1);
    // idle threads of a pool would burn the cores that the event loops need
    options.addConfigEntry("session.intra_op.allow_spinning", "0");
    options.addConfigEntry("session.inter_op.allow_spinning", "0");
    return options;
  }
}
