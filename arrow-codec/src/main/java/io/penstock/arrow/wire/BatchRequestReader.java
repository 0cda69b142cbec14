package io.penstock.arrow.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.arrow.wire.RequestResult.Accepted;
import io.penstock.arrow.wire.RequestResult.Rejected;
import io.penstock.arrow.wire.RequestResult.RequestProblem;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalInt;

/**
 * Reads a batch request strictly: one JSON object of known fields, each once, each in its range;
 * anything else is the first problem that is found, with its place and with what may be written
 * there. Holds no more than the items it has read.
 *
 * <p>Threading: any number of threads, each call for itself.
 */
public final class BatchRequestReader {
  private final RequestLimits limits;

  public BatchRequestReader(RequestLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads a request to the end of {@code input}, or to one byte beyond the limit.
   *
   * @throws IOException if {@code input} does
   */
  public RequestResult read(InputStream input) throws IOException {
    BoundedInput bounded = new BoundedInput(input, limits.bytes());
    try (JsonCursor json = JsonCursor.over(bounded)) {
      RequestResult result = read(json);
      return bounded.exceeded() ? tooLarge() : result;
    }
  }

  private RequestResult read(JsonCursor json) throws IOException {
    try {
      json.next();
      BatchRequest request = new RequestParser(json, limits).read();
      return json.next() == JsonToken.NOT_AVAILABLE
          ? new Accepted(request)
          : new Rejected(
              json.problem(Kind.SYNTAX, "something follows the request: send one at a time")
                  .problem());
    } catch (RequestException e) {
      return new Rejected(e.problem());
    } catch (JsonProcessingException e) {
      return new Rejected(json.problemOf(e));
    }
  }

  private Rejected tooLarge() {
    return new Rejected(
        new RequestProblem(
            Kind.TOO_LARGE,
            "",
            OptionalInt.empty(),
            "a request has at most %d bytes: send several, or name the items in a manifest"
                .formatted(limits.bytes())));
  }
}
