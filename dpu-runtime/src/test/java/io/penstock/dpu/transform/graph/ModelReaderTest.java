package io.penstock.dpu.transform.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read, and what is refused before anything else sees it. */
class ModelReaderTest {

  @Test
  void readsASoundModel() {
    OnnxGraph graph = read(TinyModel.sound().bytes());
    assertEquals("x", graph.input());
    assertEquals(List.of(-1L, 4L), graph.inputType().shape());
    assertEquals(
        List.of("MatMul", "Relu", "Add"), graph.nodes().stream().map(OnnxNode::op).toList());
    assertEquals(64, graph.weightBytes());
  }

  @Test
  void leavesOutWhatDoesNotLeadToTheOutputAndPutsTheRestInOrder() {
    byte[] file =
        new TinyModel()
            .input("x", 0, 4)
            .weights("unused", new float[] {1}, 1)
            .node("Abs b -> y")
            .node("Neg x -> nowhere")
            .node("Relu x -> b")
            .output("y")
            .bytes();
    OnnxGraph graph = read(file);
    assertEquals(List.of("Relu", "Abs"), graph.nodes().stream().map(OnnxNode::op).toList());
    assertTrue(graph.initialisers().isEmpty());
  }

  static Stream<Arguments> hostile() {
    return Stream.of(
        refused(
            "a cycle",
            "cycle",
            start().node("Add x b -> a").node("Relu a -> b").node("Abs b -> y")),
        refused("missing weights", "comes from nowhere", start().node("MatMul x w -> y")),
        refused(
            "a tensor made twice", "made twice", start().node("Relu x -> y").node("Abs x -> y")),
        refused(
            "external data",
            "another file",
            start().constant(TinyModel.external("w", "/etc/passwd", 4)).node("Add x w -> y")),
        refused(
            "external data in an attribute",
            "another file",
            start()
                .nodeWith("Constant -> w", "value", 5, TinyModel.external("", "../../secret", 4))
                .node("Add x w -> y")),
        refused(
            "a constant larger than its bytes",
            "needs",
            start()
                .constant(TinyModel.tensor("w", 1, new byte[16], 1L << 40))
                .node("Add x w -> y")),
        refused(
            "a shape that overflows",
            "needs",
            start()
                .constant(TinyModel.tensor("w", 1, new byte[16], 1L << 40, 1L << 40))
                .node("Add x w -> y")),
        refused(
            "a negative shape",
            "dimension of -4",
            start().constant(TinyModel.tensor("w", 1, new byte[16], -4)).node("Add x w -> y")),
        refused(
            "strings",
            "type 8",
            start().constant(TinyModel.tensor("w", 8, new byte[0], 0)).node("Add x w -> y")),
        refused("a custom operator", "custom operator", start().node("Evil x -> y", "com.example")),
        refused(
            "control flow",
            "control flow",
            start().nodeWith("If x -> y", "then_branch", 6, new ProtoWriter().text(2, "branch"))),
        refused(
            "a function",
            "functions",
            start().node("Relu x -> y").more(25, new ProtoWriter().text(1, "f"))),
        refused(
            "random numbers",
            "random",
            start().node("RandomNormalLike x -> r").node("Add x r -> y")),
        refused("training", "training", start().node("Dropout x r t -> y")),
        refused("two inputs", "inputs", start().input("z", 0, 4).node("Add x z -> y")),
        refused("two outputs", "outputs", start().node("Relu x -> y").output("x")),
        refused(
            "no way from the input",
            "does not depend",
            start().weights("w", new float[] {1}, 1).node("Relu w -> y")),
        refused(
            "a fixed batch",
            "batch",
            new TinyModel().input("x", 8, 4).node("Relu x -> y").output("y")),
        refused(
            "free dimensions behind the batch",
            "fixed dimensions",
            new TinyModel().input("x", 0, 0).node("Relu x -> y").output("y")),
        refused(
            "an input of strings",
            "type 8",
            new TinyModel().inputOf(8, "x", 0, 4).node("Relu x -> y").output("y")),
        refused(
            "a sample of exabytes",
            "2 GiB",
            new TinyModel().input("x", 0, 1L << 40, 1L << 20).node("Relu x -> y").output("y")),
        Arguments.of(
            "a zip file", "ONNX", "PK\u0003\u0004 and more of it".getBytes(StandardCharsets.UTF_8)),
        Arguments.of("text", "ONNX", "#!/bin/sh\nrm -rf /\n".getBytes(StandardCharsets.UTF_8)),
        Arguments.of("nothing", "not an ONNX model", new byte[0]));
  }

  private static TinyModel start() {
    return new TinyModel().input("x", 0, 4).output("y");
  }

  private static Arguments refused(String what, String saying, TinyModel model) {
    return Arguments.of(what, saying, model.bytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hostile")
  void refuses(String what, String saying, byte[] file) {
    ModelException refusal = assertThrows(ModelException.class, () -> read(file));
    assertEquals(ModelException.Reason.REFUSED, refusal.reason());
    assertTrue(refusal.getMessage().contains(saying), refusal.getMessage());
  }

  @Test
  void refusesEveryTruncation() {
    byte[] file = TinyModel.sound().bytes();
    for (int length = 0; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      // the last field is the operator set: without it the graph is whole, but its version unknown
      assertThrows(ModelException.class, () -> read(cut), "cut to " + length);
    }
  }

  @Test
  void damageIsRefusedOrHarmlessButNeverAnotherFailure() {
    byte[] file = TinyModel.sound().bytes();
    Random random = new Random(3);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = file.clone();
      for (int flips = random.nextInt(3); flips >= 0; flips--) {
        damaged[random.nextInt(file.length)] = (byte) random.nextInt();
      }
      try {
        GraphCut.find(read(damaged));
      } catch (ModelException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000, "damage is noticed: " + refused);
  }

  @Test
  void aChainOfAnyLengthNeedsNoStack() {
    TinyModel model = new TinyModel().input("t0", 0, 4).output("t20000");
    for (int i = 0; i < 20_000; i++) {
      model.node("Relu t" + i + " -> t" + (i + 1));
    }
    OnnxGraph graph = read(model.bytes());
    assertEquals(20_001, GraphCut.find(graph).size());
    byte[] longer = model.node("Relu x -> z").bytes();
    assertTrue(
        assertThrows(ModelException.class, () -> read(longer))
            .getMessage()
            .contains("20000 nodes"));
  }

  private static OnnxGraph read(byte[] file) {
    return ModelReader.read(MemorySegment.ofArray(file), ModelLimits.usual());
  }
}
