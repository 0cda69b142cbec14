package io.penstock.dpu.transform.store;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryObserver;
import io.penstock.dpu.memory.MemorySplit;
import io.penstock.dpu.transform.graph.ModelReader;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.graph.ValueType;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelId;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.onnx.Compute;
import io.penstock.dpu.transform.onnx.PrefixSession;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One file on this machine, taken as it is, for people who look at a model before they pin it.
 *
 * <p>Threading: one thread, which blocks.
 */
public final class LocalModel implements AutoCloseable {
  private final ModelFile file;
  private final ModelStore store;
  private final StoredModel model;

  private LocalModel(ModelFile file, ModelStore store, StoredModel model) {
    this.file = file;
    this.store = store;
    this.model = model;
  }

  /**
   * Reads, checks and tries the model in {@code path}.
   *
   * @throws ModelException if it is refused
   */
  public static LocalModel open(Path path) {
    Path absolute = path.toAbsolutePath();
    FolderSource source = new FolderSource(Path.of(String.valueOf(absolute.getParent())));
    String name = String.valueOf(absolute.getFileName());
    ModelPin pin = new ModelPin(new ModelId(name, hash(source, name)), name);
    MemoryBudget budget = unlimited();
    ModelStore.Setup setup =
        new ModelStore.Setup(
            List.of(pin), source, ModelLimits.usual(), Compute.onCaller(), 1, () -> true);
    ModelStore store = new ModelStore(setup, budget);
    try {
      StoredModel model = (StoredModel) store.open(name);
      return new LocalModel(model.file(), store, model);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private static String hash(FolderSource source, String name) {
    try (Arena arena = Arena.ofConfined()) {
      long bytes = source.size(name);
      if (bytes > ModelLimits.usual().fileBytes()) {
        throw ModelReader.tooLarge(bytes, ModelLimits.usual());
      }
      return ModelFile.sha256(source.read(name, bytes, arena));
    } catch (IOException e) {
      throw new ModelException(
          ModelException.Reason.UNREADABLE, "cannot read the model: " + e.getMessage(), e);
    }
  }

  /** The limits of a model bound what a command takes; nobody shares its memory. */
  private static MemoryBudget unlimited() {
    long total = 1L << 40;
    Map<MemoryArea, MemorySplit.Share> areas = new java.util.EnumMap<>(MemoryArea.class);
    for (MemoryArea area : MemoryArea.values()) {
      areas.put(area, new MemorySplit.Share(total, 0));
    }
    return new MemoryBudget(new MemorySplit(total, areas), MemoryObserver.NONE, System::nanoTime);
  }

  public FrozenModel model() {
    return model;
  }

  /** Separating tensors, those included that cannot be delivered sample by sample. */
  public int places() {
    return model.facts().places();
  }

  /** Operators that depend on the input, and bytes of all constants. */
  public Extent extent() {
    return file.with(graph -> new Extent(graph.nodes().size(), graph.weightBytes()));
  }

  /**
   * How large a network is.
   *
   * @param nodes operators
   * @param weightBytes of all constants
   */
  public record Extent(int nodes, long weightBytes) {}

  /**
   * Times what lies between each two cuts on this machine: one sample, one thread, the best of
   * {@code runs}. The sum is a little above the time of the whole, as nothing is fused over a cut.
   */
  public List<LayerCost> profile(int runs) {
    return file.with(graph -> profile(graph, runs));
  }

  private List<LayerCost> profile(OnnxGraph graph, int runs) {
    List<LayerCost> costs = new ArrayList<>();
    List<Cut> cuts = model.cuts();
    for (int i = 1; i < cuts.size(); i++) {
      Cut from = cuts.get(i - 1);
      Cut to = cuts.get(i);
      long weights = to.weightBytes() - from.weightBytes();
      costs.add(new LayerCost(to, seconds(graph, from, to, runs), Math.max(0, weights)));
    }
    return costs;
  }

  private double seconds(OnnxGraph graph, Cut from, Cut to, int runs) {
    try (Arena arena = Arena.ofConfined();
        PrefixSession session =
            PrefixSession.between(graph, end(from), end(to), Compute.onCaller())) {
      MemorySegment input = arena.allocate(from.bytesPerSample(), 64);
      MemorySegment output = arena.allocate(to.bytesPerSample(), 64);
      long best = Long.MAX_VALUE;
      // the first run lays out the memory
      for (int run = 0; run <= runs; run++) {
        long start = System.nanoTime();
        session.apply(input, 1, output);
        best = run == 0 ? best : Math.min(best, System.nanoTime() - start);
      }
      return best * 1e-9;
    }
  }

  private Map.Entry<String, ValueType> end(Cut cut) {
    return Map.entry(cut.name(), model.facts().type(cut.name()));
  }

  @Override
  public void close() {
    store.close();
  }
}
