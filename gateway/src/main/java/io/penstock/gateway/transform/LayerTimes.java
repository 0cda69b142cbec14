package io.penstock.gateway.transform;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.FrozenPrefix;
import io.penstock.dpu.transform.model.ModelException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the parts of a model cost one thread here, measured the first time somebody leaves the
 * choice of its split to the gateway. Only cuts that are smaller than every one before them are
 * worth sending, so only those are tried, and the whole for what is left to the client.
 *
 * <p>Threading: any thread that may block; a model is measured once, others wait for that.
 */
final class LayerTimes {
  private static final int RUNS = 3;

  private final MemoryBudget budget;
  private final Map<String, Profile> profiles = new LinkedHashMap<>();

  /**
   * The measured parts.
   *
   * @param seconds of one thread for a sample, by cut, in the order of the model
   * @param whole seconds of the whole network
   */
  record Profile(Map<Cut, Double> seconds, double whole) {}

  LayerTimes(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * The model's profile.
   *
   * @throws ModelException as running it throws
   */
  synchronized Profile of(FrozenModel model) {
    Profile known = profiles.get(model.id().sha256());
    if (known != null) {
      return known;
    }
    Map<Cut, Double> seconds = new LinkedHashMap<>();
    for (Cut cut : shrinking(model.cuts())) {
      seconds.put(cut, cut.isInput() ? 0 : measure(model, cut));
    }
    double whole = measure(model, model.cuts().getLast());
    Profile profile = new Profile(seconds, whole);
    profiles.put(model.id().sha256(), profile);
    return profile;
  }

  /** The input, and each cut that is smaller than all before it, the output left out. */
  static List<Cut> shrinking(List<Cut> cuts) {
    List<Cut> smaller = new ArrayList<>();
    for (Cut cut : cuts.subList(0, cuts.size() - 1)) {
      if (smaller.isEmpty() || cut.bytesPerSample() < smaller.getLast().bytesPerSample()) {
        smaller.add(cut);
      }
    }
    return smaller;
  }

  private double measure(FrozenModel model, Cut cut) {
    long bytes = model.input().bytesPerSample() + cut.bytesPerSample();
    Reservation reservation =
        budget
            .tryReserve(new MemoryClaim(MemoryArea.MODELS, bytes, "profile of " + model.id()))
            .orElseThrow(
                () ->
                    new ModelException(
                        ModelException.Reason.NO_MEMORY,
                        "no memory to measure "
                            + model.id().name()
                            + ": try again, or name a split"));
    try (reservation;
        Arena arena = Arena.ofConfined();
        FrozenPrefix prefix = model.prefix(cut)) {
      MemorySegment input = arena.allocate(model.input().bytesPerSample(), 64);
      MemorySegment output = arena.allocate(cut.bytesPerSample(), 64);
      long best = Long.MAX_VALUE;
      for (int i = 0; i < RUNS; i++) {
        long begun = System.nanoTime();
        prefix.apply(input, 1, output);
        best = Math.min(best, System.nanoTime() - begun);
      }
      return best * 1e-9;
    }
  }
}
