package io.penstock.dpu.transform.graph;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A constant of the graph, such as weights.
 *
 * @param shape lengths, may be empty (a scalar) or hold a 0
 * @param bytes of its elements
 * @param proto the message as it stands in the file
 */
public record Initialiser(
    String name, ElementType type, List<Long> shape, long bytes, MemorySegment proto) {
  public Initialiser {
    shape = List.copyOf(shape);
  }
}
