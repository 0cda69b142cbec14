package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import io.penstock.dpu.transform.model.ModelLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much is alive while one sample is computed: after each node, the tensors that were made and
 * are still to be read. What depends on constants alone is computed once and stays.
 *
 * @param peaks bytes, the most up to and with each node of the graph, in its order
 */
public record TensorSizes(List<Long> peaks) {

  public TensorSizes {
    peaks = List.copyOf(peaks);
  }

  /**
   * Adds up a network.
   *
   * @param types of every tensor for one sample, all fixed
   * @throws io.penstock.dpu.transform.model.ModelException if a tensor, or all alive, are above the
   *     limits
   */
  public static TensorSizes of(OnnxGraph graph, Map<String, ValueType> types, ModelLimits limits) {
    Set<String> moving = new HashSet<>();
    GraphCut.dependents(graph).forEach(node -> moving.addAll(node.outputs()));
    Map<String, Integer> readers = new HashMap<>();
    graph
        .nodes()
        .forEach(node -> node.inputs().forEach(name -> readers.merge(name, 1, Integer::sum)));
    readers.merge(graph.output(), 1, Integer::sum);
    long alive = graph.inputType().withFirst(1).bytes();
    long peak = alive;
    List<Long> peaks = new ArrayList<>();
    for (OnnxNode node : graph.nodes()) {
      for (String output : node.outputs()) {
        alive += readers.containsKey(output) ? bytes(output, types, limits) : 0;
      }
      peak = Math.max(peak, alive);
      if (peak > limits.workspaceBytes()) {
        throw refused(
            "at "
                + node
                + " one sample holds "
                + peak
                + " bytes, at most "
                + limits.workspaceBytes()
                + " are given");
      }
      peaks.add(peak);
      for (String input : node.inputs()) {
        if (readers.merge(input, -1, Integer::sum) == 0
            && (moving.contains(input) || input.equals(graph.input()))) {
          alive -=
              input.equals(graph.input())
                  ? graph.inputType().withFirst(1).bytes()
                  : bytes(input, types, limits);
        }
      }
    }
    return new TensorSizes(peaks);
  }

  private static long bytes(String tensor, Map<String, ValueType> types, ModelLimits limits) {
    ValueType type = types.get(tensor);
    if (type == null) {
      return 0;
    }
    check(tensor, type, limits);
    return type.bytes();
  }

  /** Refuses a tensor that is larger than the limits allow. */
  public static void check(String tensor, ValueType type, ModelLimits limits) {
    if (type.isFixed() && type.bytes() > limits.tensorBytes()) {
      throw refused(
          "the tensor "
              + tensor
              + " "
              + type.shape()
              + " has more than "
              + limits.tensorBytes()
              + " bytes for one sample: use a smaller model");
    }
  }
}
