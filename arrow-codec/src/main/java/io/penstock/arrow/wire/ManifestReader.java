package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.arrow.wire.RequestResult.RequestProblem;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalInt;

/**
 * Reads a manifest: items as a request has them, one a line (JSON lines), in UTF-8. Blank lines are
 * passed over.
 *
 * <p>Threading: any number of threads, each call for itself.
 */
public final class ManifestReader {
  private final long bytes;
  private final int items;

  /** A reader of manifests of at most that many bytes and items. */
  public ManifestReader(long bytes, int items) {
    this.bytes = bytes;
    this.items = items;
  }

  /** What became of a manifest. */
  public sealed interface Result {
    record Read(ItemList items) implements Result {}

    record Refused(RequestProblem problem) implements Result {}
  }

  /**
   * Reads a manifest to the end of {@code input}.
   *
   * @throws IOException if {@code input} does
   */
  public Result read(InputStream input) throws IOException {
    BoundedInput bounded = new BoundedInput(input, bytes);
    try (JsonCursor json = JsonCursor.over(bounded)) {
      Result result = read(json);
      return bounded.exceeded() ? tooLarge() : result;
    }
  }

  private Result read(JsonCursor json) throws IOException {
    ItemParser parser = new ItemParser(json, items);
    try {
      while (json.next() != JsonToken.NOT_AVAILABLE) {
        parser.read();
      }
      return new Result.Read(parser.build());
    } catch (RequestException e) {
      return new Result.Refused(e.problem());
    } catch (JsonProcessingException e) {
      return new Result.Refused(json.problemOf(e));
    }
  }

  private Result tooLarge() {
    return new Result.Refused(
        new RequestProblem(
            Kind.TOO_LARGE,
            "",
            OptionalInt.empty(),
            "a manifest has at most %d bytes: cut it into several".formatted(bytes)));
  }
}
