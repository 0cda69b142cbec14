package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.arrow.epoch.EpochSpec;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What was done, in the metadata of a response's schema: enough to ask for the same stream again,
 * apart from the names of the items.
 */
public final class StreamMetadata {
  private static final String PREFIX = "penstock.";
  private static final JsonFactory JSON = new JsonFactory();

  private StreamMetadata() {}

  /**
   * The metadata of the answer to {@code request}.
   *
   * @param items of the whole list, if that is known when the stream begins
   */
  public static Map<String, String> of(BatchRequest request, OptionalLong items) {
    Map<String, String> words = new TreeMap<>();
    put(words, "protocol", BatchRequest.VERSION);
    put(words, "bucket", request.bucket());
    put(words, "decode", decode(request.decode()));
    put(words, "batch-size", request.delivery().batchSize());
    put(words, "order", BatchRequestWriter.word(request.delivery().order()));
    put(words, "on-error", BatchRequestWriter.word(request.delivery().onError()));
    put(words, "compression", request.delivery().compression().text());
    items.ifPresent(count -> put(words, "items", count));
    request.epoch().ifPresent(epoch -> epoch(words, epoch));
    request
        .transform()
        .ifPresent(
            transform -> {
              put(words, "transform.model", transform.model());
              put(words, "transform.split", transform.split());
            });
    return Map.copyOf(words);
  }

  private static void epoch(Map<String, String> words, EpochSpec epoch) {
    switch (epoch.order()) {
      case EpochSpec.Listed() -> put(words, "epoch.shuffle", false);
      case EpochSpec.Shuffled(long seed, long number) -> {
        put(words, "epoch.shuffle", true);
        put(words, "epoch.seed", seed);
        put(words, "epoch.number", number);
      }
    }
    put(words, "epoch.rank", epoch.share().rank());
    put(words, "epoch.world-size", epoch.share().worldSize());
    put(words, "epoch.tail", BatchRequestWriter.word(epoch.tail()));
    put(words, "epoch.resume-at", epoch.resumeAt());
  }

  private static void put(Map<String, String> words, String name, Object value) {
    words.put(PREFIX + name, value.toString());
  }

  /** As a request has it. */
  private static String decode(DecodeRequest decode) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      OptionWriter.write(json, decode);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
