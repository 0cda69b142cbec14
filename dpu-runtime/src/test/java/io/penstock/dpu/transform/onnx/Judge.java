package io.penstock.dpu.transform.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Map;

/** ONNX Runtime on a model as it is, past everything of ours. */
public final class Judge {
  private Judge() {}

  /** What the model makes of {@code input}, a batch of float32 of that shape. */
  public static float[] run(byte[] model, MemorySegment input, long... shape) throws OrtException {
    OrtEnvironment environment = Compute.environment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      try (OrtSession session = environment.createSession(model, options);
          OnnxTensor tensor =
              OnnxTensor.createTensor(
                  environment,
                  input.asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer(),
                  shape);
          OrtSession.Result result =
              session.run(Map.of(session.getInputNames().iterator().next(), tensor))) {
        FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
        float[] copy = new float[values.remaining()];
        values.get(copy);
        return copy;
      }
    }
  }
}
