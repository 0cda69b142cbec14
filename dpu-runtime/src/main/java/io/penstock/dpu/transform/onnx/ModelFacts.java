package io.penstock.dpu.transform.onnx;

import static io.penstock.dpu.transform.model.ModelException.refused;

import ai.onnxruntime.OrtException;
import io.penstock.arrow.tensor.Layout;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.dpu.transform.graph.GraphCut;
import io.penstock.dpu.transform.graph.GraphCut.Place;
import io.penstock.dpu.transform.graph.GraphPart;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.graph.OnnxNode;
import io.penstock.dpu.transform.graph.TensorSizes;
import io.penstock.dpu.transform.graph.ValueType;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of a network once it was tried: its cuts, from input to output, and the types of
 * all tensors for one sample. Holds no memory of the file.
 *
 * @param places how many separating tensors there are, those included that cannot be delivered
 *     because they do not hold their samples one by one
 */
public record ModelFacts(List<Cut> cuts, Map<String, ValueType> types, int places) {
  public ModelFacts {
    cuts = List.copyOf(cuts);
    types = Map.copyOf(types);
  }

  /**
   * Tries out a network. Computes it up to four times for one or two samples; blocks.
   *
   * @throws ModelException {@link ModelException.Reason#REFUSED}
   */
  public static ModelFacts of(OnnxGraph graph, ModelLimits limits) {
    if (!Tensors.passes(graph.inputType().type())) {
      throw refused(
          "the input has elements of type "
              + graph.inputType().type()
              + ", which cannot be handed over");
    }
    try {
      Map<String, ValueType> types = new ShapeProbe(graph, limits).types();
      TensorSizes sizes = TensorSizes.of(graph, types, limits);
      List<Place> places = GraphCut.find(graph);
      List<String> tensors =
          places.stream()
              .filter(place -> place.nodes() > 0 && isSample(types.get(place.tensor())))
              .map(Place::tensor)
              .toList();
      Set<String> kept = new CutProbe(graph, types).byRow(tensors);
      if (!kept.contains(graph.output())) {
        throw refused(
            "the output does not hold the samples of a batch one by one: export the model so that it does");
      }
      return new ModelFacts(
          new Listing(graph, types, sizes).cuts(places, kept), types, places.size());
    } catch (OrtException e) {
      throw new ModelException(
          ModelException.Reason.REFUSED, "ONNX Runtime refuses the model: " + e.getMessage(), e);
    }
  }

  /** The type of a tensor for one sample. */
  public ValueType type(String tensor) {
    ValueType type = types.get(tensor);
    if (type == null) {
      throw new ModelException(
          ModelException.Reason.NO_SUCH_CUT, "the model has no tensor " + tensor);
    }
    return type;
  }

  private static boolean isSample(@org.jspecify.annotations.Nullable ValueType type) {
    return type != null
        && Tensors.passes(type.type())
        && !type.shape().isEmpty()
        && type.shape().size() <= TensorSpec.MAX_DIMENSIONS
        && type.shape().getFirst() == 1
        && !type.shape().contains(0L);
  }

  /** One sample of a tensor whose first dimension is the batch. */
  static TensorSpec spec(ValueType type) {
    List<Integer> shape = type.shape().stream().skip(1).map(Math::toIntExact).toList();
    Layout layout = Layout.PLAIN;
    if (shape.size() == 3) {
      layout = Layout.NCHW;
    }
    return new TensorSpec(type.type().dtype().orElseThrow(), shape, layout);
  }

  /** Puts cuts and sizes together. */
  private record Listing(OnnxGraph graph, Map<String, ValueType> types, TensorSizes sizes) {

    List<Cut> cuts(List<Place> places, Set<String> kept) {
      Map<String, Long> peaks = new HashMap<>();
      for (int i = 0; i < graph.nodes().size(); i++) {
        for (String output : graph.nodes().get(i).outputs()) {
          peaks.put(output, sizes.peaks().get(i));
        }
      }
      List<Cut> cuts = new ArrayList<>();
      for (Place place : places) {
        ValueType type = types.get(place.tensor());
        if (type != null && place.nodes() == 0) {
          cuts.add(new Cut(place.tensor(), "", 0, spec(type), 0, type.bytes()));
        } else if (type != null && kept.contains(place.tensor())) {
          long weights =
              GraphPart.of(
                      graph,
                      Map.entry(graph.input(), graph.inputType()),
                      Map.entry(place.tensor(), type))
                  .weightBytes();
          long peak = peaks.getOrDefault(place.tensor(), 0L);
          cuts.add(new Cut(place.tensor(), place.op(), place.nodes(), spec(type), weights, peak));
        }
      }
      return cuts;
    }
  }

  /** The nodes between two neighbouring cuts, for tables. */
  public static List<OnnxNode> nodesBetween(OnnxGraph graph, Cut from, Cut to) {
    return GraphCut.dependents(graph).subList(from.position(), to.position());
  }
}
