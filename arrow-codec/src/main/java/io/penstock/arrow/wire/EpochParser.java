package io.penstock.arrow.wire;

import io.penstock.arrow.epoch.EpochSpec;
import io.penstock.arrow.epoch.EpochSpec.Share;
import io.penstock.arrow.epoch.EpochSpec.Tail;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Reads {@code epoch}. */
final class EpochParser {
  private static final long LARGEST = 1L << 53;

  private final JsonCursor json;
  private boolean shuffle = true;
  private boolean seeded;
  private long seed;
  private long number;
  private int rank;
  private int worldSize = 1;
  private long resumeAt;
  private Tail tail = Tail.KEEP;

  EpochParser(JsonCursor json) {
    this.json = json;
  }

  EpochSpec read() throws IOException, RequestException {
    json.object(fields());
    if (shuffle && !seeded) {
      throw json.meaning("a shuffled epoch has a \"seed\"; or write \"shuffle\": false");
    }
    if (rank >= worldSize) {
      throw json.meaning(
          "rank %d in a \"world-size\" of %d: ranks are 0 to %d"
              .formatted(rank, worldSize, worldSize - 1));
    }
    EpochSpec.Order order = shuffle ? new EpochSpec.Shuffled(seed, number) : new EpochSpec.Listed();
    return new EpochSpec(order, new Share(rank, worldSize), tail, resumeAt);
  }

  private SequencedMap<String, JsonCursor.Step> fields() {
    SequencedMap<String, Tail> tails = new LinkedHashMap<>();
    tails.put("keep", Tail.KEEP);
    tails.put("drop", Tail.DROP);
    SequencedMap<String, JsonCursor.Step> fields = new LinkedHashMap<>();
    fields.put("seed", this::seed);
    fields.put("number", () -> number = json.whole(0, LARGEST));
    fields.put("shuffle", () -> shuffle = json.flag());
    fields.put("rank", () -> rank = (int) json.whole(0, (1 << 20) - 1));
    fields.put("world-size", () -> worldSize = (int) json.whole(1, 1 << 20));
    fields.put("tail", () -> tail = json.choice(tails));
    fields.put("resume-at", () -> resumeAt = json.whole(0, LARGEST));
    return fields;
  }

  private void seed() throws IOException, RequestException {
    seed = json.whole(Long.MIN_VALUE, Long.MAX_VALUE);
    seeded = true;
  }
}
