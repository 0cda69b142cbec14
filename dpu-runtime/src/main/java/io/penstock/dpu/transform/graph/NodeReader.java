package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads a NodeProto (onnx.proto): a standard operator that computes the same each time and holds no
 * graph of its own.
 *
 * <p>Threading: one thread.
 */
final class NodeReader {
  private static final Set<String> STANDARD = Set.of("", "ai.onnx");
  private static final Set<String> RANDOM =
      Set.of(
          "RandomNormal",
          "RandomNormalLike",
          "RandomUniform",
          "RandomUniformLike",
          "Multinomial",
          "Bernoulli");

  private final MemorySegment proto;
  private final ModelLimits limits;
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private String name = "";
  private String op = "";
  private String domain = "";

  private NodeReader(MemorySegment proto, ModelLimits limits) {
    this.proto = proto;
    this.limits = limits;
  }

  static OnnxNode read(MemorySegment proto, ModelLimits limits) {
    return new NodeReader(proto, limits).read();
  }

  private OnnxNode read() {
    ProtoReader reader = new ProtoReader(proto, "a node");
    List<MemorySegment> attributes = new ArrayList<>();
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 1 -> inputs.add(reader.text(limits.nameBytes()));
        case 2 -> outputs.add(reader.text(limits.nameBytes()));
        case 3 -> name = reader.text(limits.nameBytes());
        case 4 -> op = reader.text(limits.nameBytes());
        case 5 -> attributes.add(reader.bytes());
        case 7 -> domain = reader.text(limits.nameBytes());
        default -> reader.skip();
      }
    }
    OnnxNode node = new OnnxNode(name, op, inputs, outputs, proto);
    checkOperator(node);
    attributes.forEach(attribute -> checkAttribute(attribute, node));
    return node;
  }

  private void checkOperator(OnnxNode node) {
    if (!STANDARD.contains(domain)) {
      throw refused(
          node
              + " is a custom operator of "
              + domain
              + ": export the model with standard operators only");
    }
    if (op.isEmpty()) {
      throw refused(node + " names no operator: the file is damaged");
    }
    if (RANDOM.contains(op)) {
      throw refused(node + " is random: frozen layers must give the same each time");
    }
    if (op.equals("Dropout") && inputs.size() > 2 && !inputs.get(2).isEmpty()) {
      throw refused(node + " may be in training mode: export the model for inference");
    }
  }

  private void checkAttribute(MemorySegment attribute, OnnxNode node) {
    ProtoReader reader = new ProtoReader(attribute, "an attribute of " + node);
    for (int field = reader.next(); field != 0; field = reader.next()) {
      switch (field) {
        case 5, 10 -> TensorReader.read(reader.bytes(), limits);
        case 6, 11 ->
            throw refused(
                node
                    + " holds a graph of its own (If, Loop, Scan), which is not supported:"
                    + " export the model without control flow");
        case 22, 23 -> throw refused(node + " holds a sparse constant, which is not supported");
        case 21 -> throw refused(node + " belongs in a function, but stands in the graph");
        default -> reader.skip();
      }
    }
  }
}
