package io.penstock.dpu.transform.store;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryObserver;
import io.penstock.dpu.memory.MemorySplit;
import io.penstock.dpu.transform.model.ModelId;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.onnx.Compute;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Stores for tests. */
final class Stores {
  private Stores() {}

  /** A store over the models in {@code folder}, pinned to what the files are now. */
  static ModelStore of(Path folder, MemoryBudget budget, String... names) throws IOException {
    return new ModelStore(setup(pins(folder, names), folder), budget);
  }

  static ModelStore.Setup setup(List<ModelPin> pins, Path folder) {
    return new ModelStore.Setup(
        pins, new FolderSource(folder), ModelLimits.usual(), Compute.onCaller(), 1, () -> true);
  }

  static List<ModelPin> pins(Path folder, String... names) throws IOException {
    List<ModelPin> pins = new java.util.ArrayList<>();
    for (String name : names) {
      pins.add(
          new ModelPin(new ModelId(name, hash(folder.resolve(name + ".onnx"))), name + ".onnx"));
    }
    return pins;
  }

  static String hash(Path file) throws IOException {
    return ModelFile.sha256(MemorySegment.ofArray(Files.readAllBytes(file)));
  }

  /** A budget that models may use up. */
  static MemoryBudget budget(long bytes) {
    Map<MemoryArea, MemorySplit.Share> areas = new EnumMap<>(MemoryArea.class);
    for (MemoryArea area : MemoryArea.values()) {
      areas.put(area, new MemorySplit.Share(bytes, 0));
    }
    return new MemoryBudget(new MemorySplit(bytes, areas), MemoryObserver.NONE, System::nanoTime);
  }
}
