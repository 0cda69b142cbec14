package io.penstock.dpu.transform.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The definition of a cut, taken literally: without the tensor, the input does not reach the
 * output.
 */
public final class BruteForce {
  private BruteForce() {}

  /** Every separating tensor, in the order in which they are made. */
  public static List<String> cuts(OnnxGraph graph) {
    List<String> candidates = new ArrayList<>(List.of(graph.input()));
    graph.nodes().forEach(node -> candidates.addAll(node.outputs()));
    Set<String> reached = reach(graph, "");
    return candidates.stream()
        .filter(tensor -> !tensor.isEmpty() && reached.contains(tensor))
        .filter(tensor -> !reach(graph, tensor).contains(graph.output()))
        .toList();
  }

  /** What depends on the input once {@code without} is taken away. */
  private static Set<String> reach(OnnxGraph graph, String without) {
    Set<String> reached = new HashSet<>();
    reached.add(graph.input());
    reached.remove(without);
    for (OnnxNode node : graph.nodes()) {
      if (node.inputs().stream().anyMatch(reached::contains)) {
        node.outputs().stream().filter(tensor -> !tensor.equals(without)).forEach(reached::add);
      }
    }
    return reached;
  }
}
