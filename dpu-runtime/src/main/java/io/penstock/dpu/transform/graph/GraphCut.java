package io.penstock.dpu.transform.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds every place where one tensor separates the input from the output: each way from the one to
 * the other leads through it. What depends on constants alone does not count as a way; it can be
 * computed on both sides.
 *
 * <p>Nodes that need the input all lead to the output (the graph was checked), so each of them lies
 * either before or after such a tensor. In whatever order they run, all those before have then run
 * when it is made, and it is the only tensor made so far that is still to be read. That is what one
 * walk over the nodes looks for; with n nodes and e edges it takes O(n + e).
 *
 * <p>Threading: a pure function.
 */
public final class GraphCut {
  private GraphCut() {}

  /**
   * A separating tensor.
   *
   * @param tensor its name
   * @param op what makes it; empty for the input
   * @param nodes how many nodes are on its input's side, counting only those that depend on the
   *     input
   */
  public record Place(String tensor, String op, int nodes) {}

  /** The places from input to output, both included. */
  public static List<Place> find(OnnxGraph graph) {
    List<OnnxNode> moving = dependents(graph);
    Map<String, Integer> readers = readers(graph, moving);
    List<Place> places = new ArrayList<>();
    Set<String> open = new HashSet<>(Set.of(graph.input()));
    places.add(new Place(graph.input(), "", 0));
    for (int i = 0; i < moving.size(); i++) {
      OnnxNode node = moving.get(i);
      for (String tensor : Set.copyOf(node.inputs())) {
        if (readers.merge(tensor, -1, Integer::sum) == 0) {
          open.remove(tensor);
        }
      }
      node.outputs().stream()
          .filter(tensor -> readers.getOrDefault(tensor, 0) > 0)
          .forEach(open::add);
      if (open.size() == 1) {
        String tensor = open.iterator().next();
        if (node.outputs().contains(tensor)) {
          places.add(new Place(tensor, node.op(), i + 1));
        }
      }
    }
    return List.copyOf(places);
  }

  /** The nodes whose result depends on the input, in order. */
  public static List<OnnxNode> dependents(OnnxGraph graph) {
    Set<String> moving = new HashSet<>(Set.of(graph.input()));
    List<OnnxNode> dependents = new ArrayList<>();
    for (OnnxNode node : graph.nodes()) {
      if (node.inputs().stream().anyMatch(moving::contains)) {
        dependents.add(node);
        moving.addAll(node.outputs());
      }
    }
    return dependents;
  }

  /** How many nodes read each tensor; the end of the network reads its output. */
  private static Map<String, Integer> readers(OnnxGraph graph, List<OnnxNode> moving) {
    Map<String, Integer> readers = new HashMap<>();
    moving.forEach(
        node ->
            Set.copyOf(node.inputs()).forEach(tensor -> readers.merge(tensor, 1, Integer::sum)));
    readers.merge(graph.output(), 1, Integer::sum);
    return readers;
  }
}
