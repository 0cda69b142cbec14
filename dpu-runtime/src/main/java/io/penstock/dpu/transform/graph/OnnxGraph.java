package io.penstock.dpu.transform.graph;

import java.util.List;
import java.util.Map;

/**
 * A checked network: one input, one output, no cycle, every tensor made once before it is used,
 * only operators of the standard set without subgraphs. What does not lead to the output is not in
 * it.
 *
 * @param versions which every part of it repeats
 * @param nodes in an order in which they can run
 * @param initialisers by name, those that are used
 * @param input its name
 * @param inputType with the first length, the batch, free or 1, and all others fixed
 * @param output its name
 */
public record OnnxGraph(
    Versions versions,
    List<OnnxNode> nodes,
    Map<String, Initialiser> initialisers,
    String input,
    ValueType inputType,
    String output) {

  /**
   * Of the format and of the standard operators.
   *
   * @param ir of ONNX
   * @param opset of the operators
   */
  public record Versions(long ir, long opset) {}

  public OnnxGraph {
    nodes = List.copyOf(nodes);
    initialisers = Map.copyOf(initialisers);
  }

  /** Bytes of all constants. */
  public long weightBytes() {
    return initialisers.values().stream().mapToLong(Initialiser::bytes).sum();
  }
}
