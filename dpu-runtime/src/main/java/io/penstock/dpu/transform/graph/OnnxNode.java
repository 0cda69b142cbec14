package io.penstock.dpu.transform.graph;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One operator. An empty name among the inputs or outputs stands for one that was left out.
 *
 * @param name for people; may be empty
 * @param op the operator, of the standard domain
 * @param inputs names of tensors
 * @param outputs names of tensors
 * @param proto the message as it stands in the file
 */
public record OnnxNode(
    String name, String op, List<String> inputs, List<String> outputs, MemorySegment proto) {
  public OnnxNode {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? op + " that makes " + outputs : op + " " + name;
  }
}
