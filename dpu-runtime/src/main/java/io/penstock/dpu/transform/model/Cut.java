package io.penstock.dpu.transform.model;

import io.penstock.arrow.tensor.TensorSpec;

/**
 * One place where a network can be divided: a single tensor through which everything from the input
 * to the output passes.
 *
 * @param name of the tensor in the ONNX graph; unique in the model
 * @param op the operator that makes it, {@code Relu}; empty for the input itself
 * @param position how many of the network's nodes lie before it, 0 for the input; grows from cut to
 *     cut
 * @param spec one sample of it
 * @param weightBytes what the initialisers before it hold
 * @param workspaceBytes the most that is alive at once while one sample is computed up to it, input
 *     and output included; without what a kernel keeps for itself
 */
public record Cut(
    String name, String op, int position, TensorSpec spec, long weightBytes, long workspaceBytes) {

  /** Bytes of one sample: what is sent for it. */
  public long bytesPerSample() {
    return spec.bytesPerSample();
  }

  /** Nothing is before it: computing up to here is no work. */
  public boolean isInput() {
    return position == 0;
  }
}
