package io.penstock.gateway.transform;

import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.split.Candidate;
import io.penstock.dpu.transform.split.Split;
import io.penstock.dpu.transform.split.SplitDecision;
import io.penstock.dpu.transform.split.SplitPlanner;
import io.penstock.dpu.transform.split.SplitWatch;
import io.penstock.dpu.transform.split.Surroundings;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses splits for streams whose requests leave it to the gateway, when a stream begins; within a
 * stream a split never changes, since a schema cannot. A tenant keeps its split of a model until
 * another one would save a tenth.
 *
 * <p>Threading: any thread.
 */
final class SplitChoice {
  /** Decoding a picture of usual size on one thread, until measured otherwise. */
  private static final double DECODE_SECONDS = 0.0005;

  private static final long OBJECT_BYTES = 128 << 10;
  private static final double STORE_RATE = 1e9;
  private static final long BATCHES = 100;
  private static final int MOST_WATCHES = 4096;
  private static final SplitWatch.Patience PATIENCE = new SplitWatch.Patience(0.1, 1, 0);

  /** What a choice is made for. */
  record Question(
      String tenant,
      int batch,
      double clientRate,
      double threads,
      long memory,
      int consumerSpeed) {}

  /** What was chosen, and why, for people. */
  record Answer(Cut cut, String reason) {}

  private record Key(String tenant, String sha256) {}

  private final Map<Key, SplitWatch> watches =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SplitWatch> eldest) {
          return size() > MOST_WATCHES;
        }
      };

  /**
   * Chooses.
   *
   * @throws S3Exception SlowDown if no split fits into memory
   */
  synchronized Answer choose(FrozenModel model, LayerTimes.Profile profile, Question question) {
    Map<Split, Cut> cuts = new LinkedHashMap<>();
    List<Candidate> candidates = new ArrayList<>();
    profile
        .seconds()
        .forEach(
            (cut, seconds) -> {
              Split split = cut.isInput() ? new Split.Pixels() : new Split.After(cut.name());
              cuts.put(split, cut);
              candidates.add(
                  new Candidate(
                      split,
                      cut.bytesPerSample(),
                      new Candidate.Near(
                          DECODE_SECONDS + seconds, cut.weightBytes(), cut.workspaceBytes()),
                      new Candidate.Far(
                          Math.max(0, profile.whole() - seconds) / question.consumerSpeed(), 0)));
            });
    Surroundings around =
        new Surroundings(
            new Surroundings.Links(STORE_RATE, question.clientRate()),
            question.threads(),
            question.memory(),
            new Surroundings.Work(BATCHES * question.batch(), question.batch(), OBJECT_BYTES, 1));
    if (!(SplitPlanner.plan(candidates, around) instanceof SplitDecision.Chosen chosen)) {
      throw new S3Exception(
          S3Error.ENTITY_TOO_LARGE,
          "No split of %s fits into this gateway's memory for models."
              .formatted(model.id().name()));
    }
    Key key = new Key(question.tenant(), model.id().sha256());
    SplitWatch watch =
        Optional.ofNullable(watches.get(key))
            .map(before -> before.look(chosen))
            .orElseGet(() -> SplitWatch.of(chosen.split(), PATIENCE));
    watches.put(key, watch);
    Cut cut = cuts.getOrDefault(watch.split(), model.cuts().getFirst());
    String kept =
        watch.split().equals(chosen.split())
            ? ""
            : watch.split().label() + " is kept: another split saves less than a tenth; ";
    return new Answer(cut, kept + chosen.reason());
  }
}
