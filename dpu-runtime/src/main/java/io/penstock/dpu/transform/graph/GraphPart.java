package io.penstock.dpu.transform.graph;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of a network as an ONNX model of its own: the nodes between some tensors that are given
 * and some that are wanted, and the constants these nodes use. Nodes and constants are written as
 * they stand in the file.
 *
 * <p>Threading: immutable.
 *
 * <p>Ownership: points into the memory of the graph it was taken from.
 */
public final class GraphPart {
  private final OnnxGraph graph;
  private final Map<String, ValueType> given;
  private final List<OnnxNode> nodes;
  private final Set<String> used;
  private final Map<String, ValueType> wanted;
  private final List<String> untyped;
  private final Map<String, Literal> settled;

  private GraphPart(
      OnnxGraph graph,
      Map<String, ValueType> given,
      Map<String, ValueType> wanted,
      List<String> untyped,
      Map<String, Literal> settled) {
    this.graph = graph;
    this.given = given;
    this.wanted = wanted;
    this.untyped = untyped;
    this.settled = settled;
    this.used = new HashSet<>();
    this.nodes = between();
  }

  /** What makes {@code wanted} out of {@code given}, each with its type; the batch is free. */
  public static GraphPart of(
      OnnxGraph graph, Map.Entry<String, ValueType> given, Map.Entry<String, ValueType> wanted) {
    return new GraphPart(
        graph,
        Map.of(given.getKey(), given.getValue()),
        Map.of(wanted.getKey(), wanted.getValue()),
        List.of(),
        Map.of());
  }

  /**
   * The network with its input of the given type, that shows tensors of its inside.
   *
   * @param shown whose types or values are to be found out
   * @param settled tensors whose values are known already, and are not computed
   */
  public static GraphPart showing(
      OnnxGraph graph, ValueType input, List<String> shown, Map<String, Literal> settled) {
    return new GraphPart(
        graph, Map.of(graph.input(), input), Map.of(), List.copyOf(shown), Map.copyOf(settled));
  }

  public List<OnnxNode> nodes() {
    return nodes;
  }

  /** Bytes of the constants in it. */
  public long weightBytes() {
    return constants().stream().mapToLong(Initialiser::bytes).sum();
  }

  /** The model message in {@code arena}. */
  public MemorySegment write(Arena arena) {
    List<MemorySegment> pieces = pieces();
    MemorySegment model = arena.allocate(pieces.stream().mapToLong(MemorySegment::byteSize).sum());
    long offset = 0;
    for (MemorySegment piece : pieces) {
      MemorySegment.copy(piece, 0, model, offset, piece.byteSize());
      offset += piece.byteSize();
    }
    return model;
  }

  /** The model message in pieces, in order. */
  public List<MemorySegment> pieces() {
    ProtoWriter body = new ProtoWriter();
    nodes.forEach(node -> body.message(1, node.proto()));
    body.text(2, "part");
    constants().forEach(constant -> body.message(5, constant.proto()));
    settled.forEach((name, value) -> body.message(5, value.write(name)));
    given.forEach((name, type) -> body.message(11, ValueInfo.write(name, type)));
    wanted.forEach((name, type) -> body.message(12, ValueInfo.write(name, type)));
    untyped.forEach(name -> body.message(12, ValueInfo.write(name)));
    ProtoWriter operators = new ProtoWriter().text(1, "").number(2, graph.versions().opset());
    return new ProtoWriter()
        .number(1, graph.versions().ir())
        .text(2, "penstock")
        .message(7, body)
        .message(8, operators)
        .pieces();
  }

  private List<Initialiser> constants() {
    return graph.initialisers().values().stream()
        .filter(constant -> used.contains(constant.name()))
        .sorted(java.util.Comparator.comparing(Initialiser::name))
        .toList();
  }

  private List<OnnxNode> between() {
    Map<String, OnnxNode> makers = new HashMap<>();
    graph.nodes().forEach(node -> node.outputs().forEach(tensor -> makers.put(tensor, node)));
    Deque<String> open = new ArrayDeque<>(wanted.keySet());
    open.addAll(untyped);
    Set<OnnxNode> needed = java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
    while (!open.isEmpty()) {
      String tensor = open.pop();
      OnnxNode maker = makers.get(tensor);
      if (used.add(tensor)
          && !given.containsKey(tensor)
          && !settled.containsKey(tensor)
          && maker != null
          && needed.add(maker)) {
        open.addAll(maker.inputs());
      }
    }
    return graph.nodes().stream().filter(needed::contains).toList();
  }
}
