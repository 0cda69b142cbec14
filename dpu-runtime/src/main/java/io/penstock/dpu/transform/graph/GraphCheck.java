package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Makes a graph of nodes as they stand in a file: follows the output back to the input, leaves out
 * what is not on the way, and puts the rest in an order in which it can run. Nothing here recurses,
 * so a chain of any length is only as slow as it is long.
 *
 * <p>Threading: one thread, one graph.
 */
final class GraphCheck {
  private final List<OnnxNode> nodes;
  private final Map<String, Initialiser> initialisers;
  private final Map<String, Integer> makers = new HashMap<>();

  GraphCheck(List<OnnxNode> nodes, Map<String, Initialiser> initialisers) {
    this.nodes = nodes;
    this.initialisers = initialisers;
  }

  OnnxGraph check(OnnxGraph.Versions versions, Map.Entry<String, ValueType> input, String output) {
    for (int i = 0; i < nodes.size(); i++) {
      for (String tensor : nodes.get(i).outputs()) {
        if (tensor.isEmpty()) {
          continue;
        }
        boolean twice = makers.put(tensor, i) != null;
        if (twice || tensor.equals(input.getKey()) || initialisers.containsKey(tensor)) {
          throw refused("the tensor " + tensor + " is made twice: the model is broken");
        }
      }
    }
    Set<String> used = new HashSet<>();
    BitSet needed = needed(output, used);
    if (!used.contains(input.getKey())) {
      throw refused("the output " + output + " does not depend on the input " + input.getKey());
    }
    for (String tensor : used) {
      if (!makers.containsKey(tensor)
          && !initialisers.containsKey(tensor)
          && !tensor.equals(input.getKey())) {
        throw refused(
            "the tensor " + tensor + " is used but comes from nowhere: weights are missing");
      }
    }
    Map<String, Initialiser> constants = new HashMap<>(initialisers);
    constants.keySet().retainAll(used);
    return new OnnxGraph(
        versions, ordered(needed), constants, input.getKey(), input.getValue(), output);
  }

  /** The nodes that lead to {@code output}; adds every tensor on the way to {@code used}. */
  private BitSet needed(String output, Set<String> used) {
    BitSet needed = new BitSet();
    Deque<String> open = new ArrayDeque<>(List.of(output));
    while (!open.isEmpty()) {
      String tensor = open.pop();
      if (!used.add(tensor)) {
        continue;
      }
      Integer maker = makers.get(tensor);
      if (maker != null && !needed.get(maker)) {
        needed.set(maker);
        nodes.get(maker).inputs().stream().filter(name -> !name.isEmpty()).forEach(open::push);
      }
    }
    return needed;
  }

  /** Kahn's algorithm; among those that can run, the first in the file goes first. */
  private List<OnnxNode> ordered(BitSet needed) {
    Map<Integer, List<Integer>> followers = new HashMap<>();
    int[] waitsFor = new int[nodes.size()];
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    needed.stream()
        .forEach(
            node -> {
              Set<Integer> before = makersOf(node);
              before.forEach(
                  maker -> followers.computeIfAbsent(maker, any -> new ArrayList<>()).add(node));
              waitsFor[node] = before.size();
              if (before.isEmpty()) {
                ready.add(node);
              }
            });
    List<OnnxNode> ordered = new ArrayList<>();
    BitSet waiting = (BitSet) needed.clone();
    while (!ready.isEmpty()) {
      int node = ready.remove();
      waiting.clear(node);
      ordered.add(nodes.get(node));
      for (int follower : followers.getOrDefault(node, List.of())) {
        if (--waitsFor[follower] == 0) {
          ready.add(follower);
        }
      }
    }
    if (!waiting.isEmpty()) {
      throw refused(
          "the graph has a cycle through "
              + nodes.get(waiting.nextSetBit(0))
              + ": the model is broken");
    }
    return ordered;
  }

  private Set<Integer> makersOf(int node) {
    Set<Integer> before = new HashSet<>();
    for (String tensor : nodes.get(node).inputs()) {
      Integer maker = makers.get(tensor);
      if (maker != null) {
        before.add(maker);
      }
    }
    return before;
  }
}
