package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads an ONNX file (ModelProto and GraphProto of onnx.proto) and checks it. Whatever has no use
 * for inference (documentation, metadata, training) is left out; whatever would need another file,
 * code or a loop is refused.
 *
 * <p>Threading: one thread, one file.
 *
 * <p>Ownership: the graph points into the file's memory and dies with it.
 */
public final class ModelReader {
  private final ModelLimits limits;
  private final Map<String, Initialiser> initialisers = new HashMap<>();
  private final List<OnnxNode> nodes = new ArrayList<>();
  private final Map<String, MemorySegment> inputs = new LinkedHashMap<>();
  private final List<String> outputs = new ArrayList<>();
  private long ir;
  private long opset;

  private ModelReader(ModelLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads {@code file}.
   *
   * @throws ModelException {@link ModelException.Reason#REFUSED}, saying what is wrong and what to
   *     do
   */
  public static OnnxGraph read(MemorySegment file, ModelLimits limits) {
    if (file.byteSize() > limits.fileBytes()) {
      throw tooLarge(file.byteSize(), limits);
    }
    return new ModelReader(limits).model(file);
  }

  /** The refusal of a file of {@code bytes}, for those who know the size before they read. */
  public static ModelException tooLarge(long bytes, ModelLimits limits) {
    return refused(
        "the model has "
            + bytes
            + " bytes, at most "
            + limits.fileBytes()
            + " are read: use a smaller model");
  }

  private OnnxGraph model(MemorySegment file) {
    ProtoReader reader = new ProtoReader(file, "the model");
    List<MemorySegment> graphs = new ArrayList<>();
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 1 -> ir = reader.number();
        case 7 -> graphs.add(reader.bytes());
        case 8 -> operatorSet(reader.bytes());
        case 25 ->
            throw refused("the model defines functions of its own: inline them when you export it");
        default -> reader.skip();
      }
    }
    if (graphs.size() != 1) {
      throw refused(
          "the file is not an ONNX model: it holds " + graphs.size() + " graphs, not one");
    }
    if (ir < 3 || opset < 1) {
      throw refused(
          "the model says no version of ONNX (3 or later) and of its operators: export it again");
    }
    graph(graphs.getFirst());
    return new GraphCheck(nodes, initialisers)
        .check(new OnnxGraph.Versions(ir, opset), theInput(), theOutput());
  }

  private void operatorSet(MemorySegment proto) {
    ProtoReader reader = new ProtoReader(proto, "an operator set");
    String domain = "";
    long version = 0;
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 1 -> domain = reader.text(limits.nameBytes());
        case 2 -> version = reader.number();
        default -> reader.skip();
      }
    }
    // an import nobody uses is harmless; nodes of other domains are refused where they stand
    if (domain.isEmpty() || domain.equals("ai.onnx")) {
      opset = version;
    }
  }

  private void graph(MemorySegment proto) {
    ProtoReader reader = new ProtoReader(proto, "the graph");
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 1 -> {
          nodes.add(NodeReader.read(reader.bytes(), limits));
          atMost(limits.nodes(), nodes.size(), "nodes");
        }
        case 5 -> {
          initialiser(TensorReader.read(reader.bytes(), limits));
          atMost(limits.initialisers(), initialisers.size(), "constants");
        }
        case 11 -> {
          MemorySegment value = reader.bytes();
          inputs.put(ValueInfo.name(value, limits), value);
        }
        case 12 -> outputs.add(ValueInfo.name(reader.bytes(), limits));
        case 15 -> throw refused("the model holds sparse constants, which are not supported");
        default -> reader.skip();
      }
    }
  }

  private void initialiser(Initialiser constant) {
    if (constant.name().isEmpty() || initialisers.put(constant.name(), constant) != null) {
      throw refused("two constants are called '" + constant.name() + "', or one has no name");
    }
  }

  private static void atMost(int most, int count, String what) {
    if (count > most) {
      throw refused("the model has more than " + most + " " + what + ": use a smaller model");
    }
  }

  private Map.Entry<String, ValueType> theInput() {
    // before version 4 of the format, constants had to be listed as inputs too
    inputs.keySet().removeAll(initialisers.keySet());
    if (inputs.size() != 1) {
      throw refused("the model has the inputs " + inputs.keySet() + ": export it with one");
    }
    Map.Entry<String, MemorySegment> input = inputs.entrySet().iterator().next();
    ValueType type = ValueInfo.type(input.getValue(), "the input " + input.getKey());
    ValueInfo.checkInput(type, input.getKey());
    return Map.entry(input.getKey(), type);
  }

  private String theOutput() {
    if (outputs.size() != 1) {
      throw refused("the model has the outputs " + outputs + ": export it with one");
    }
    return outputs.getFirst();
  }
}
