package io.penstock.dpu.transform.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.transform.graph.TinyModel;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.FrozenPrefix;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelException.Reason;
import io.penstock.dpu.transform.model.ModelId;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.onnx.Compute;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class ModelStoreTest {
  private static final String NO_HASH = "0".repeat(64);

  @TempDir Path folder;

  @Test
  void computesOnMemoryOfTheCallerWhateverTheBatch() throws Exception {
    Files.write(folder.resolve("tiny.onnx"), TinyModel.sound().bytes());
    MemoryBudget budget = Stores.budget(1 << 20);
    try (ModelStore store = Stores.of(folder, budget, "tiny");
        Arena arena = Arena.ofConfined();
        FrozenPrefix prefix = store.open("tiny").prefix(store.open("tiny").cut("a"))) {
      float[] values = {1, 0, 0, 0, 0, 1, 0, 0, .1f, .2f, .3f, .4f};
      MemorySegment samples = arena.allocateFrom(ValueLayout.JAVA_FLOAT, values);
      MemorySegment together = arena.allocate(48, 4);
      prefix.apply(samples, 3, together);
      assertEquals(1, together.getAtIndex(ValueLayout.JAVA_FLOAT, 0));
      assertEquals(5, together.getAtIndex(ValueLayout.JAVA_FLOAT, 4));
      MemorySegment alone = arena.allocate(16, 4);
      prefix.apply(samples.asSlice(32), 1, alone);
      assertArrayEquals(
          alone.toArray(ValueLayout.JAVA_BYTE),
          together.asSlice(32).toArray(ValueLayout.JAVA_BYTE));
      assertThrows(IllegalArgumentException.class, () -> prefix.apply(samples, 2, together));
      assertThrows(
          IllegalArgumentException.class,
          () -> prefix.apply(MemorySegment.ofArray(values), 3, together));
    }
    budget.assertAllReleased();
  }

  @Test
  void keepsIdleSessionsUntilTheirMemoryIsNeeded() throws Exception {
    for (String name : List.of("one", "two", "three")) {
      Files.write(folder.resolve(name + ".onnx"), large(name).bytes());
    }
    // each session holds 1 MiB of weights, a model that is being read three times as much
    MemoryBudget budget = Stores.budget((5 << 20) + (1 << 19));
    try (ModelStore store = Stores.of(folder, budget, "one", "two", "three")) {
      Cut end = store.open("one").cuts().getLast();
      FrozenPrefix one = store.open("one").prefix(end);
      one.close();
      FrozenPrefix again = store.open("one").prefix(end);
      assertEquals(1, store.sessions());
      FrozenPrefix two = store.open("two").prefix(store.open("two").cuts().getLast());
      ModelException full =
          assertThrows(
              ModelException.class,
              () -> store.open("three").prefix(store.open("three").cuts().getLast()));
      assertEquals(Reason.NO_MEMORY, full.reason());
      assertTrue(full.retryable());
      again.close();
      again.close();
      store.open("three").prefix(store.open("three").cuts().getLast()).close();
      two.close();
      assertTrue(store.sessions() >= 1);
      assertThrows(
          IllegalStateException.class,
          () -> again.apply(MemorySegment.NULL, 1, MemorySegment.NULL));
    }
    budget.assertAllReleased();
  }

  /** 1 MiB of weights. */
  private static TinyModel large(String name) {
    float[] weights = new float[512 * 512];
    weights[0] = name.length();
    weights[1] = name.charAt(0);
    return new TinyModel()
        .input("x", 0, 512)
        .weights("w", weights, 512, 512)
        .node("MatMul x w -> y")
        .output("y");
  }

  @Test
  void aModelIsItsHash() throws Exception {
    Path file = folder.resolve("tiny.onnx");
    Files.write(file, TinyModel.sound().bytes());
    MemoryBudget budget = Stores.budget(8 << 20);
    try (ModelStore store = Stores.of(folder, budget, "tiny")) {
      FrozenModel model = store.open("tiny");
      assertSame(model, store.open("tiny"));
      Files.write(file, large("tiny").bytes());
      ModelException changed = refusal(() -> model.prefix(model.cut("a")));
      assertEquals(Reason.HASH_MISMATCH, changed.reason());
      Files.write(file, TinyModel.sound().bytes());
      model.prefix(model.cut("a")).close();
    }
    budget.assertAllReleased();
  }

  @Test
  void namesWhatThereIs() throws Exception {
    Files.write(folder.resolve("tiny.onnx"), TinyModel.sound().bytes());
    try (ModelStore store = Stores.of(folder, Stores.budget(1 << 20), "tiny")) {
      assertEquals(Reason.UNKNOWN_MODEL, refusal(() -> store.open("other")).reason());
      ModelException noCut = refusal(() -> store.open("tiny").cut("b"));
      assertEquals(Reason.NO_SUCH_CUT, noCut.reason());
      assertTrue(noCut.getMessage().contains("x, a, y"), noCut.getMessage());
    }
  }

  @Test
  void refusesAFileOfThreeGibibytesUnread() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("huge.onnx").toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    ModelException refusal = refusalOf("huge.onnx");
    assertEquals(Reason.REFUSED, refusal.reason());
    assertTrue(refusal.getMessage().contains("3221225472"), refusal.getMessage());
  }

  @Test
  void readsNothingOutsideOfItsFolder() throws Exception {
    Files.write(folder.resolve("tiny.onnx"), TinyModel.sound().bytes());
    Path inside = Files.createDirectory(folder.resolve("models"));
    for (String name :
        List.of("../tiny.onnx", folder.resolve("tiny.onnx").toString(), ".", "none.onnx")) {
      ModelPin pin = new ModelPin(new ModelId("m", NO_HASH), name);
      try (ModelStore store =
          new ModelStore(Stores.setup(List.of(pin), inside), Stores.budget(1 << 20))) {
        assertEquals(Reason.UNREADABLE, refusal(() -> store.open("m")).reason(), name);
      }
    }
  }

  @Test
  void refusesWhatCouldNeverFit() throws Exception {
    Files.write(folder.resolve("large.onnx"), large("large").bytes());
    try (ModelStore store = Stores.of(folder, Stores.budget(1 << 20), "large")) {
      ModelException refusal = refusal(() -> store.open("large"));
      assertEquals(Reason.REFUSED, refusal.reason());
      assertTrue(refusal.getMessage().contains("runtime.memory-budget"), refusal.getMessage());
    }
  }

  @Test
  void staysOffThreadsThatMustNotBlock() throws Exception {
    Files.write(folder.resolve("tiny.onnx"), TinyModel.sound().bytes());
    AtomicBoolean may = new AtomicBoolean(true);
    ModelStore.Setup setup =
        new ModelStore.Setup(
            Stores.pins(folder, "tiny"),
            new FolderSource(folder),
            ModelLimits.usual(),
            Compute.onCaller(),
            1,
            may::get);
    try (ModelStore store = new ModelStore(setup, Stores.budget(1 << 20))) {
      FrozenModel model = store.open("tiny");
      try (FrozenPrefix prefix = model.prefix(model.cut("a"))) {
        may.set(false);
        assertThrows(IllegalStateException.class, () -> store.open("tiny"));
        assertThrows(
            IllegalStateException.class,
            () -> prefix.apply(MemorySegment.NULL, 1, MemorySegment.NULL));
      }
    }
  }

  private ModelException refusalOf(String file) {
    ModelPin pin = new ModelPin(new ModelId("m", NO_HASH), file);
    try (ModelStore store =
        new ModelStore(Stores.setup(List.of(pin), folder), Stores.budget(1 << 20))) {
      return refusal(() -> store.open("m"));
    }
  }

  private static ModelException refusal(Executable call) {
    return assertThrows(ModelException.class, call);
  }
}
