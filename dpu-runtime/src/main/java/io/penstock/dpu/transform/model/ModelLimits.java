package io.penstock.dpu.transform.model;

/**
 * What a model may be, so that reading it cannot exhaust the process. Everything above is refused
 * with a {@link ModelException.Reason#REFUSED}.
 *
 * @param fileBytes of the ONNX file; at most 2 GiB less one byte, which is all that protobuf can
 *     hold in one message
 * @param nodes operators in the graph
 * @param initialisers weights, by number
 * @param nameBytes of one tensor, node or operator
 * @param tensorBytes of one tensor that is computed for one sample
 * @param workspaceBytes of all tensors alive at once for one sample
 */
public record ModelLimits(
    long fileBytes,
    int nodes,
    int initialisers,
    int nameBytes,
    long tensorBytes,
    long workspaceBytes) {
  private static final long MIB = 1 << 20;

  public ModelLimits {
    if (fileBytes < 1 || fileBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a model file has 1 to 2147483647 bytes");
    }
  }

  /** Room for every network of torchvision; 1 GiB files, 256 MiB a tensor, 1 GiB at work. */
  public static ModelLimits usual() {
    return new ModelLimits(1024 * MIB, 20_000, 20_000, 1024, 256 * MIB, 1024 * MIB);
  }
}
