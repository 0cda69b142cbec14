package io.penstock.gateway.read.fetch;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How to fetch the rest of a body that broke: the exact version and the exact bytes, or not at all.
 *
 * @param first offset in the object of the body's first byte
 * @param last offset of its last byte
 */
record RestOfObject(UpstreamRequest get, String etag, long first, long last) {
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/(?:[0-9]{1,18}|\\*)");

  /** Empty if the response does not pin down what it delivers. */
  static Optional<RestOfObject> of(UpstreamRequest get, UpstreamResponse response) {
    ResponseHead head = response.head();
    long length = response.body().length();
    Optional<String> etag = strongEtag(head);
    if (!get.method().equals("GET") || length <= 0 || etag.isEmpty()) {
      return Optional.empty();
    }
    return switch (head.status()) {
      case 200 -> Optional.of(new RestOfObject(get, etag.get(), 0, length - 1));
      case 206 ->
          contentRange(head)
              .filter(range -> range.last() - range.first() + 1 == length)
              .map(range -> new RestOfObject(get, etag.get(), range.first(), range.last()));
      default -> Optional.empty();
    };
  }

  private record Range(long first, long last) {}

  private static Optional<String> strongEtag(ResponseHead head) {
    return head.fields()
        .get("etag")
        .filter(tag -> tag.length() > 2 && tag.startsWith("\"") && tag.endsWith("\""));
  }

  private static Optional<Range> contentRange(ResponseHead head) {
    Matcher matcher = CONTENT_RANGE.matcher(head.fields().get("content-range").orElse(""));
    return matcher.matches()
        ? Optional.of(new Range(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  long length() {
    return last - first + 1;
  }

  /** The bytes from {@code from} to {@code end} of this body, as a body of its own. */
  RestOfObject part(long from, long end) {
    return new RestOfObject(get, etag, first + from, first + end - 1);
  }

  /** The request for what follows the first {@code delivered} bytes of the body. */
  UpstreamRequest requestAfter(long delivered, Cancellation cancellation) {
    HttpFields fields =
        get.fields()
            .without(RestOfObject::isConditionOrRange)
            .with("range", "bytes=" + (first + delivered) + "-" + last)
            .with("if-match", etag);
    S3Target target = get.target();
    // a part is a range by another name, and the two exclude each other
    Query query =
        new Query(
            target.query().parameters().stream()
                .filter(parameter -> !parameter.name().equals("partNumber"))
                .toList());
    return new UpstreamRequest(
        get.operation(),
        get.method(),
        new S3Target(target.bucket(), target.key(), query),
        fields,
        get.body(),
        get.payloadSha256(),
        true,
        cancellation);
  }

  /** Whether a response is exactly what {@link #requestAfter} asked for. */
  boolean isAnsweredBy(UpstreamResponse response, long delivered) {
    ResponseHead head = response.head();
    return head.status() == 206
        && response.body().length() == length() - delivered
        && strongEtag(head).filter(etag::equals).isPresent()
        && contentRange(head).filter(new Range(first + delivered, last)::equals).isPresent();
  }

  private static boolean isConditionOrRange(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals("range") || lower.startsWith("if-");
  }
}
