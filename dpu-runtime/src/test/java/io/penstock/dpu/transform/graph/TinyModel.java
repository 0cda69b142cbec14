package io.penstock.dpu.transform.graph;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** ONNX models of a few nodes, sound or broken, as a test needs them. */
public final class TinyModel {
  private final ProtoWriter graph = new ProtoWriter();
  private final List<ProtoWriter> more = new ArrayList<>();

  /** A node without attributes, {@code "Add a b -> c"}. */
  public TinyModel node(String text) {
    return node(text, "");
  }

  /** A node of another domain. */
  public TinyModel node(String text, String domain) {
    graph.message(1, nodeOf(text).text(7, domain));
    return this;
  }

  /** A node with an attribute that holds a message (a tensor: 5, a graph: 6) of that type. */
  public TinyModel nodeWith(String text, String attribute, int field, ProtoWriter value) {
    graph.message(
        1,
        nodeOf(text)
            .message(
                5,
                new ProtoWriter().text(1, attribute).message(field, value).number(20, field - 1)));
    return this;
  }

  /** A node with a list of numbers as its attribute. */
  public TinyModel nodeWith(String text, String attribute, long... values) {
    ProtoWriter list = new ProtoWriter().text(1, attribute);
    for (long value : values) {
      list.number(8, value);
    }
    graph.message(1, nodeOf(text).message(5, list.number(20, 7)));
    return this;
  }

  /** A node with one number as its attribute. */
  public TinyModel nodeAt(String text, String attribute, long value) {
    graph.message(
        1,
        nodeOf(text)
            .message(5, new ProtoWriter().text(1, attribute).number(3, value).number(20, 2)));
    return this;
  }

  private static ProtoWriter nodeOf(String text) {
    String[] words = text.split(" ");
    ProtoWriter node = new ProtoWriter().text(4, words[0]);
    boolean outputs = false;
    for (int i = 1; i < words.length; i++) {
      if (words[i].equals("->")) {
        outputs = true;
      } else {
        node.text(outputs ? 2 : 1, words[i]);
      }
    }
    return node;
  }

  /** A constant of float32. */
  public TinyModel weights(String name, float[] values, long... shape) {
    byte[] raw = new byte[values.length * 4];
    MemorySegment.ofArray(raw).copyFrom(MemorySegment.ofArray(values));
    return constant(tensor(name, 1, raw, shape));
  }

  /** A constant of int64, a list. */
  public TinyModel numbers(String name, long... values) {
    byte[] raw = new byte[values.length * 8];
    MemorySegment.ofArray(raw).copyFrom(MemorySegment.ofArray(values));
    return constant(tensor(name, 7, raw, values.length));
  }

  public TinyModel constant(ProtoWriter tensor) {
    graph.message(5, tensor);
    return this;
  }

  /** A tensor whose bytes are those given, whether or not they fit its shape. */
  public static ProtoWriter tensor(String name, int type, byte[] raw, long... shape) {
    ProtoWriter tensor = new ProtoWriter();
    for (long length : shape) {
      tensor.number(1, length);
    }
    return tensor.number(2, type).text(8, name).message(9, MemorySegment.ofArray(raw));
  }

  /** A tensor whose elements are in another file. */
  public static ProtoWriter external(String name, String file, long... shape) {
    ProtoWriter tensor = new ProtoWriter();
    for (long length : shape) {
      tensor.number(1, length);
    }
    ProtoWriter location = new ProtoWriter().text(1, "location").text(2, file);
    return tensor.number(2, 1).text(8, name).message(13, location).number(14, 1);
  }

  /** An input of float32; 0 stands for a free length. */
  public TinyModel input(String name, long... shape) {
    return inputOf(1, name, shape);
  }

  /** An input whose elements are of that type. */
  public TinyModel inputOf(int type, String name, long... shape) {
    graph.message(11, value(name, type, shape));
    return this;
  }

  public TinyModel output(String name) {
    graph.message(12, ValueInfo.write(name));
    return this;
  }

  /** A field of the model message, beside its graph. */
  public TinyModel more(int field, ProtoWriter value) {
    more.add(new ProtoWriter().message(field, value));
    return this;
  }

  private static ProtoWriter value(String name, int type, long... shape) {
    ProtoWriter dims = new ProtoWriter();
    for (long length : shape) {
      dims.message(
          1, length == 0 ? new ProtoWriter().text(2, "n") : new ProtoWriter().number(1, length));
    }
    ProtoWriter tensor = new ProtoWriter().number(1, type).message(2, dims);
    return new ProtoWriter().text(1, name).message(2, new ProtoWriter().message(1, tensor));
  }

  /** The file. */
  public byte[] bytes() {
    ProtoWriter model =
        new ProtoWriter()
            .number(1, 8)
            .message(7, graph)
            .message(8, new ProtoWriter().text(1, "").number(2, 13));
    List<MemorySegment> pieces = new ArrayList<>(model.pieces());
    more.forEach(field -> pieces.addAll(field.pieces()));
    try (Arena arena = Arena.ofConfined()) {
      long size = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
      MemorySegment all = arena.allocate(size);
      long offset = 0;
      for (MemorySegment piece : pieces) {
        MemorySegment.copy(piece, 0, all, offset, piece.byteSize());
        offset += piece.byteSize();
      }
      return all.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Two layers on four numbers, sound. */
  public static TinyModel sound() {
    return new TinyModel()
        .input("x", 0, 4)
        .weights("w", new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 4, 4)
        .node("MatMul x w -> a")
        .node("Relu a -> b")
        .node("Add b a -> y")
        .output("y");
  }
}
