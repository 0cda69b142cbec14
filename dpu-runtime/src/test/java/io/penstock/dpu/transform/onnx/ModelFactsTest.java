package io.penstock.dpu.transform.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dpu.transform.graph.ModelReader;
import io.penstock.dpu.transform.graph.TinyModel;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a trial lets pass. */
class ModelFactsTest {

  @Test
  void givesShapesBytesAndWorkspace() {
    ModelFacts facts = facts(TinyModel.sound());
    assertEquals(List.of("x", "a", "y"), facts.cuts().stream().map(Cut::name).toList());
    Cut a = facts.cuts().get(1);
    assertEquals(16, a.bytesPerSample());
    assertEquals(64, a.weightBytes());
    assertEquals(32, a.workspaceBytes());
    assertEquals(1, a.position());
  }

  @Test
  void settlesShapesThatAreComputed() {
    TinyModel model =
        new TinyModel()
            .input("x", 0, 4)
            .numbers("zero", 0)
            .numbers("two", 2, 2)
            .node("Shape x -> s")
            .node("Gather s zero -> n")
            .nodeAt("Concat n two -> form", "axis", 0)
            .node("Expand flat form -> e")
            .node("Reshape x form -> r")
            .node("Add r e -> y")
            .output("y");
    model.weights("flat", new float[] {1}, 1);
    assertEquals(List.of(2, 2), facts(model).cuts().getLast().spec().shape());
  }

  @Test
  void refusesWhatWouldFillTheMemory() {
    assertRefused(
        "bytes for one sample",
        new TinyModel()
            .input("x", 0, 4)
            .numbers("huge", 1L << 20, 1L << 20)
            .node("ConstantOfShape huge -> c")
            .node("ReduceSum c -> r")
            .node("Add x r -> y")
            .output("y"));
    TinyModel doubling = new TinyModel().input("t0", 0, 1L << 20);
    for (int i = 0; i < 24; i++) {
      doubling.numbers("k" + i, 1, 2).node("Tile t" + i + " k" + i + " -> t" + (i + 1));
    }
    assertRefused("bytes for one sample", doubling.output("t24"));
    TinyModel wide = new TinyModel().input("x", 0, 1L << 24);
    StringBuilder sum = new StringBuilder("Sum");
    for (int i = 0; i < 40; i++) {
      wide.node((i % 2 == 0 ? "Relu" : "Abs") + " x -> t" + i);
      sum.append(" t").append(i);
    }
    assertRefused("one sample holds", wide.node(sum + " -> y").output("y"));
  }

  @Test
  void refusesShapesThatDependOnTheSample() {
    assertRefused(
        "depends on the sample",
        new TinyModel()
            .input("x", 0, 4)
            .node("NonZero x -> i")
            .node("Shape i -> s")
            .node("Expand x s -> y")
            .output("y"));
    assertRefused(
        "depends on the sample",
        new TinyModel()
            .inputOf(7, "x", 0, 4)
            .numbers("row", 4)
            .node("Reshape x row -> s")
            .node("ConstantOfShape s -> y")
            .output("y"));
  }

  @Test
  void refusesSamplesThatTouchEachOther() {
    assertRefused(
        "one by one",
        new TinyModel()
            .input("x", 0, 4)
            .nodeWith("ReduceMean x -> m", "axes", 0)
            .node("Sub x m -> y")
            .output("y"));
  }

  @Test
  void aTransposedTensorIsNoCut() {
    ModelFacts facts =
        facts(
            new TinyModel()
                .input("x", 0, 3, 4)
                .nodeWith("Transpose x -> t", "perm", 1, 0, 2)
                .node("Relu t -> r")
                .nodeWith("Transpose r -> y", "perm", 1, 0, 2)
                .output("y"));
    assertEquals(List.of("x", "y"), facts.cuts().stream().map(Cut::name).toList());
    assertEquals(4, facts.places());
  }

  @Test
  void refusesWhatOnnxRuntimeRefuses() {
    assertRefused(
        "ONNX Runtime refuses",
        new TinyModel().input("x", 0, 4).node("NoSuchOperator x -> y").output("y"));
    assertRefused(
        "ONNX Runtime refuses",
        new TinyModel()
            .inputOf(7, "x", 0, 4)
            .weights("w", new float[16], 4, 4)
            .node("MatMul x w -> y")
            .output("y"));
  }

  private static void assertRefused(String saying, TinyModel model) {
    ModelException refusal = assertThrows(ModelException.class, () -> facts(model));
    assertEquals(ModelException.Reason.REFUSED, refusal.reason());
    assertTrue(String.valueOf(refusal.getMessage()).contains(saying), refusal.getMessage());
  }

  private static ModelFacts facts(TinyModel model) {
    byte[] file = model.bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(file.length);
      memory.copyFrom(MemorySegment.ofArray(file));
      return ModelFacts.of(ModelReader.read(memory, ModelLimits.usual()), ModelLimits.usual());
    }
  }
}
