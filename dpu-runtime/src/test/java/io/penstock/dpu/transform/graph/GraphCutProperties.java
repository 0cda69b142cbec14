package io.penstock.dpu.transform.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The walk over the nodes against the definition, on random graphs. */
class GraphCutProperties {

  @Property(tries = 2000)
  void findsWhatTheDefinitionSays(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 24) int nodes,
      @ForAll @IntRange(min = 1, max = 6) int reach) {
    OnnxGraph graph = random(new Random(seed), nodes, reach);
    assertEquals(
        BruteForce.cuts(graph), GraphCut.find(graph).stream().map(GraphCut.Place::tensor).toList());
  }

  @Property(tries = 500)
  void bothPartsHoldWhatTheyNeedAndNoMore(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 24) int nodes) {
    OnnxGraph graph = random(new Random(seed), nodes, 3);
    ValueType type = graph.inputType();
    for (GraphCut.Place place : GraphCut.find(graph)) {
      if (place.nodes() == 0 || place.tensor().equals(graph.output())) {
        continue;
      }
      GraphPart prefix =
          GraphPart.of(graph, entry(graph.input(), type), entry(place.tensor(), type));
      GraphPart suffix =
          GraphPart.of(graph, entry(place.tensor(), type), entry(graph.output(), type));
      assertEquals(place.nodes(), moving(prefix, graph), "the first part");
      assertEquals(
          GraphCut.dependents(graph).size() - place.nodes(),
          moving(suffix, graph),
          "the second part");
      // read again as files, each is a sound model
      assertTrue(again(prefix).nodes().size() == prefix.nodes().size());
      assertTrue(again(suffix).nodes().size() == suffix.nodes().size());
    }
  }

  private static java.util.Map.Entry<String, ValueType> entry(String name, ValueType type) {
    return java.util.Map.entry(name, type);
  }

  private static int moving(GraphPart part, OnnxGraph graph) {
    List<OnnxNode> moving = GraphCut.dependents(graph);
    return (int) part.nodes().stream().filter(moving::contains).count();
  }

  private static OnnxGraph again(GraphPart part) {
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      return ModelReader.read(part.write(arena), ModelLimits.usual());
    }
  }

  /** Each node reads one to three of the tensors made lately, or constants; some make two. */
  private static OnnxGraph random(Random random, int nodes, int reach) {
    TinyModel model = new TinyModel().input("x", 0, 4).weights("w", new float[4], 4);
    List<String> made = new ArrayList<>(List.of("x"));
    for (int i = 0; i < nodes; i++) {
      StringBuilder node = new StringBuilder("Sum");
      for (int inputs = random.nextInt(3); inputs >= 0; inputs--) {
        int back = 1 + random.nextInt(Math.min(reach, made.size()));
        node.append(' ').append(random.nextInt(8) == 0 ? "w" : made.get(made.size() - back));
      }
      node.append(" -> t").append(i);
      made.add("t" + i);
      if (random.nextInt(5) == 0) {
        node.append(" u").append(i);
        made.add("u" + i);
      }
      model.node(node.toString());
    }
    // tie the end to the input, so that there is something to divide
    model.node(
        "Sum " + made.getLast() + " " + (random.nextBoolean() ? made.getLast() : "x") + " -> z");
    if (random.nextBoolean()) {
      model.node("Relu z -> y").node("Sum y x -> end");
    } else {
      model.node("Sum z x -> y").node("Relu y -> end");
    }
    return ModelReader.read(
        MemorySegment.ofArray(model.output("end").bytes()), ModelLimits.usual());
  }
}
