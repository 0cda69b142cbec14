package io.penstock.dpu.transform.onnx;

import static io.penstock.dpu.transform.model.ModelException.refused;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.penstock.dpu.transform.graph.GraphPart;
import io.penstock.dpu.transform.graph.Literal;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.graph.OnnxNode;
import io.penstock.dpu.transform.graph.TensorSizes;
import io.penstock.dpu.transform.graph.ValueType;
import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shape of every tensor for one sample, before anything large is computed. ONNX Runtime
 * infers most of them from the graph. Where a shape is itself computed (the shape of one tensor,
 * cut and joined, is what another is reshaped to), those few numbers are computed, put in their
 * place, and the rest is inferred again; by then every tensor they are made from is known to be
 * small. A shape that depends on the sample's values cannot be known and is refused.
 *
 * <p>Threading: one thread, one graph.
 */
final class ShapeProbe {
  private static final int MAX_ROUNDS = 32;
  private static final long MAX_ELEMENTS = 4096;
  private static final Set<String> SHAPE_ONLY = Set.of("Shape", "Size");

  /**
   * Operators on a few numbers that may make a scalar; what they make is bounded by their inputs.
   */
  private static final Set<String> ON_SCALARS =
      Set.of(
          "Gather",
          "Squeeze",
          "Unsqueeze",
          "Identity",
          "Cast",
          "Size",
          "Add",
          "Sub",
          "Mul",
          "Div",
          "Mod",
          "Min",
          "Max",
          "Neg",
          "Abs",
          "Floor",
          "Ceil",
          "Sqrt",
          "ReduceProd",
          "ReduceSum",
          "ReduceMax",
          "ReduceMin");

  private final OnnxGraph graph;
  private final ModelLimits limits;
  private final ValueType input;
  private final Set<String> ofValues = new HashSet<>();
  private final Map<String, Literal> settled = new HashMap<>();
  private final Map<String, ValueType> types = new HashMap<>();

  ShapeProbe(OnnxGraph graph, ModelLimits limits) {
    this.graph = graph;
    this.limits = limits;
    this.input = graph.inputType().withFirst(1);
    ofValues.add(graph.input());
    for (OnnxNode node : graph.nodes()) {
      if (!SHAPE_ONLY.contains(node.op()) && node.inputs().stream().anyMatch(ofValues::contains)) {
        ofValues.addAll(node.outputs());
      }
    }
  }

  /**
   * Type and shape of every tensor that a node makes, and of the input, for one sample.
   *
   * @throws io.penstock.dpu.transform.model.ModelException if a shape cannot be known, or is above
   *     the limits
   */
  Map<String, ValueType> types() throws OrtException {
    types.put(graph.input(), input);
    graph
        .initialisers()
        .forEach(
            (name, constant) -> types.put(name, new ValueType(constant.type(), constant.shape())));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      infer();
      Survey survey = new Survey();
      if (survey.firstUnknown == null) {
        return types;
      }
      if (survey.computable.isEmpty()) {
        throw refused(
            "the shape of what "
                + survey.firstUnknown
                + " makes depends on the sample or cannot be"
                + " inferred: simplify the model, or export it with fixed dimensions behind the batch");
      }
      settle(survey.computable);
    }
    throw refused(
        "the shapes of the model are computed in more than " + MAX_ROUNDS + " steps: simplify it");
  }

  private void infer() throws OrtException {
    List<String> made =
        graph.nodes().stream()
            .flatMap(node -> node.outputs().stream())
            .filter(name -> !name.isEmpty() && !settled.containsKey(name))
            .toList();
    try (Arena arena = Arena.ofConfined();
        OrtSession session =
            Compute.onCaller()
                .plainSession(GraphPart.showing(graph, input, made, settled).write(arena))) {
      for (var info : session.getOutputInfo().entrySet()) {
        ValueType type =
            Tensors.type(info.getValue())
                .orElseThrow(() -> refused(info.getKey() + " is not a tensor of a supported type"));
        TensorSizes.check(info.getKey(), type, limits);
        types.put(info.getKey(), type);
      }
    }
  }

  /** Whether the shape is known. ONNX Runtime calls a tensor of unknown rank a scalar. */
  private boolean isKnown(String tensor) {
    ValueType type = types.get(tensor);
    return settled.containsKey(tensor)
        || graph.initialisers().containsKey(tensor)
        || (type != null && type.isFixed() && !type.shape().isEmpty());
  }

  /** One walk over the graph: what is still unknown, and which few numbers can be computed now. */
  private final class Survey {
    private final Set<String> unknown = new HashSet<>();
    private final Map<String, Long> small = new HashMap<>();
    private final List<String> computable = new ArrayList<>();
    private @Nullable OnnxNode firstUnknown;

    Survey() {
      graph
          .initialisers()
          .forEach((name, constant) -> count(name, constant.bytes() / constant.type().bytes()));
      for (OnnxNode node : graph.nodes()) {
        boolean behind = node.inputs().stream().anyMatch(unknown::contains);
        node.outputs().stream()
            .filter(name -> !name.isEmpty())
            .forEach(name -> look(node, name, behind));
      }
    }

    private void look(OnnxNode node, String tensor, boolean behind) {
      ValueType type = types.get(tensor);
      if (type == null) {
        throw refused("nothing is known of " + tensor + ", which " + node + " makes");
      }
      boolean fit = Tensors.passes(type.type()) && !ofValues.contains(tensor) && !behind;
      if (isKnown(tensor) || node.op().equals("Constant")) {
        if (behind) {
          unknown.add(tensor);
        }
        long elements = type.bytes() / type.type().bytes();
        if (count(tensor, elements) && fit && !settled.containsKey(tensor)) {
          computable.add(tensor);
        }
        return;
      }
      firstUnknown = firstUnknown == null ? node : firstUnknown;
      boolean scalar = ON_SCALARS.contains(node.op()) && type.shape().isEmpty();
      if (fit && scalar && count(tensor, bound(node))) {
        computable.add(tensor);
      } else {
        unknown.add(tensor);
      }
    }

    private boolean count(String tensor, long elements) {
      if (elements > MAX_ELEMENTS) {
        return false;
      }
      small.put(tensor, Math.max(1, elements));
      return true;
    }

    /** No more elements than that: as many as all inputs multiplied, as in a broadcast. */
    private long bound(OnnxNode node) {
      long product = 1;
      for (String tensor : node.inputs()) {
        long elements = tensor.isEmpty() ? 1 : small.getOrDefault(tensor, Long.MAX_VALUE);
        if (elements > MAX_ELEMENTS || product * elements > MAX_ELEMENTS) {
          return Long.MAX_VALUE;
        }
        product *= elements;
      }
      return product;
    }
  }

  private void settle(List<String> names) throws OrtException {
    try (Arena arena = Arena.ofConfined();
        OrtSession session =
            Compute.onCaller()
                .plainSession(GraphPart.showing(graph, input, names, settled).write(arena));
        OnnxTensor sample =
            Tensors.over(arena.allocate(input.bytes(), 64), input.type(), Tensors.shape(input));
        OrtSession.Result values = session.run(Map.of(graph.input(), sample))) {
      for (String name : names) {
        Literal value = literal((OnnxTensor) values.get(name).orElseThrow());
        settled.put(name, value);
        types.put(name, value.type());
      }
    }
  }

  private Literal literal(OnnxTensor value) {
    ByteBuffer elements = value.getByteBuffer();
    byte[] bytes = new byte[elements.remaining()];
    elements.get(bytes);
    return new Literal(Tensors.type(value.getInfo()).orElseThrow(), bytes);
  }
}
