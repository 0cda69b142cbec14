package io.penstock.sink.cli;

import io.penstock.arrow.epoch.EpochSpec;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.Item;
import io.penstock.arrow.wire.ItemList;
import io.penstock.arrow.wire.ItemSource;
import io.penstock.sink.client.GatewayClient;
import io.penstock.sink.client.GatewayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is wanted: a request in a file, or one made of options. */
final class RequestArguments {
  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "A request of docs/batch-protocol.md as JSON, instead of the options below.")
  private @Nullable Path file;

  @Option(names = "--bucket", paramLabel = "NAME", description = "The bucket.")
  private @Nullable String bucket;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "All objects whose keys begin so; \"\" is the whole bucket.")
  private @Nullable String prefix;

  @Option(
      names = "--manifest",
      paramLabel = "KEY",
      description = "An object of the bucket that names the items, one JSON line each.")
  private @Nullable String manifest;

  @Option(names = "--key", paramLabel = "KEY", description = "One object; give it several times.")
  private List<String> keys = List.of();

  @Option(
      names = "--decode",
      paramLabel = "WHAT",
      defaultValue = "raw",
      description =
          "raw, csv, json-lines, parquet, or a decoder with its options as JSON, as in the examples"
              + " (default: ${DEFAULT-VALUE}).")
  private String decode = "";

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "256",
      description = "Items a batch (default: ${DEFAULT-VALUE}).")
  private int batchSize;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      defaultValue = "none",
      description = "none, lz4 or zstd (default: ${DEFAULT-VALUE}).")
  private String compression = "";

  @Option(
      names = "--on-error",
      paramLabel = "WHAT",
      defaultValue = "continue",
      description =
          "continue: a failed item is a row of its own; fail: it ends the stream"
              + " (default: ${DEFAULT-VALUE}).")
  private String onError = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Fetch an epoch: the items in the order that this seed gives.")
  private @Nullable Long seed;

  @Option(
      names = "--epoch",
      paramLabel = "N",
      description = "Which epoch of the seed (default: 0).")
  private long epoch;

  @Option(names = "--rank", paramLabel = "N", description = "Which rank's share (default: 0).")
  private int rank;

  @Option(names = "--world-size", paramLabel = "N", description = "Of how many (default: 1).")
  private int worldSize = 1;

  @Option(
      names = "--resume-at",
      paramLabel = "N",
      description = "The first batch that is wanted (default: 0).")
  private long resumeAt;

  /**
   * The request.
   *
   * @throws WrongUse if the options make none
   */
  BatchRequest request() {
    if (file != null) {
      return parsed(read(file), file + ": ");
    }
    if (bucket == null) {
      throw new WrongUse("name a --bucket, or a file with --request");
    }
    BatchRequest frame =
        parsed(
            """
            {"version": 1, "bucket": "b", "prefix": "", "decode": %s, "batch-size": %d,
             "compression": "%s", "on-error": "%s"}
            """
                .formatted(
                    decode.startsWith("{") ? decode : "\"" + decode + "\"",
                    batchSize,
                    compression,
                    onError),
            "");
    return new BatchRequest(
        bucket, source(), frame.decode(), frame.delivery(), epochSpec(), Optional.empty());
  }

  private static BatchRequest parsed(String json, String where) {
    try {
      return GatewayClient.request(json);
    } catch (GatewayException e) {
      throw new WrongUse(where + e.getMessage());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new WrongUse("cannot read " + file + ": " + e.getMessage());
    }
  }

  private ItemSource source() {
    int named = (prefix == null ? 0 : 1) + (manifest == null ? 0 : 1) + (keys.isEmpty() ? 0 : 1);
    if (named != 1) {
      throw new WrongUse("name the items by one of --prefix, --manifest, --key");
    }
    if (prefix != null) {
      return new ItemSource.Prefix(prefix);
    }
    if (manifest != null) {
      return new ItemSource.Manifest(manifest, Optional.empty());
    }
    ItemList.Builder items = new ItemList.Builder();
    keys.forEach(key -> items.add(Item.of(key)));
    return new ItemSource.Listed(items.build());
  }

  private Optional<EpochSpec> epochSpec() {
    if (seed == null) {
      if (epoch != 0 || rank != 0 || worldSize != 1 || resumeAt != 0) {
        throw new WrongUse("--epoch, --rank, --world-size and --resume-at need a --seed");
      }
      return Optional.empty();
    }
    try {
      return Optional.of(
          new EpochSpec(
              new EpochSpec.Shuffled(seed, epoch),
              new EpochSpec.Share(rank, worldSize),
              EpochSpec.Tail.KEEP,
              resumeAt));
    } catch (IllegalArgumentException e) {
      throw new WrongUse(String.valueOf(e.getMessage()));
    }
  }
}
