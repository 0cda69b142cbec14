package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.upstream.UpstreamResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a response says about the version it delivers, if it says enough for the version to be kept:
 * a strong ETag, the whole length, and nothing that is meant for one request only.
 *
 * @param fields what is said of every read of this version: no lengths, no ids, no date and no
 *     checksums
 * @param checksums the store's checksum fields of the whole object; empty if they were not asked
 *     for
 * @param first offset in the object of the body's first byte
 * @param last offset of its last byte
 */
record VersionHead(
    String etag,
    long length,
    HttpFields fields,
    Optional<HttpFields> checksums,
    long first,
    long last) {
  private static final String CHECKSUM = "x-amz-checksum-";
  private static final Set<String> OF_ONE_RESPONSE =
      Set.of(
          "date",
          "age",
          "content-length",
          "content-range",
          "x-amz-request-id",
          "x-amz-id-2",
          "x-penstock-request-id");
  private static final Set<String> NOT_TO_KEEP =
      Set.of(
          "set-cookie", "x-amz-request-charged", "x-amz-missing-meta", "x-amz-transfer-encoding");

  /** Empty if the response must not be kept. */
  static Optional<VersionHead> of(UpstreamResponse response, boolean checksumsAsked) {
    ResponseHead head = response.head();
    Optional<String> etag = head.fields().get("etag").filter(VersionHead::isStrong);
    long bytes = response.body().length();
    if (etag.isEmpty() || bytes <= 0 || forbids(head.fields())) {
      return Optional.empty();
    }
    HttpFields plain =
        ForwardedFields.response(head).without(name -> isOfOneResponse(name) || isChecksum(name));
    return switch (head.status()) {
      case 200 -> {
        HttpFields sums = head.fields().without(name -> !isChecksum(name));
        Optional<HttpFields> kept = checksumsAsked ? Optional.of(sums) : Optional.empty();
        yield Optional.of(new VersionHead(etag.get(), bytes, plain, kept, 0, bytes - 1));
      }
      case 206 ->
          ContentRange.of(head.fields())
              .filter(range -> range.last() - range.first() + 1 == bytes)
              .map(
                  range ->
                      new VersionHead(
                          etag.get(),
                          range.length(),
                          plain,
                          Optional.empty(),
                          range.first(),
                          range.last()));
      default -> Optional.empty();
    };
  }

  /** What the answer to a HEAD says of the whole object; empty if that must not be kept. */
  static Optional<VersionHead> ofHead(ResponseHead head, boolean checksumsAsked) {
    Optional<String> etag = head.fields().get("etag").filter(VersionHead::isStrong);
    long length = head.fields().get("content-length").map(VersionHead::number).orElse(0L);
    if (head.status() != 200 || etag.isEmpty() || length <= 0 || forbids(head.fields())) {
      return Optional.empty();
    }
    HttpFields plain =
        ForwardedFields.response(head).without(name -> isOfOneResponse(name) || isChecksum(name));
    HttpFields sums = head.fields().without(name -> !isChecksum(name));
    Optional<HttpFields> kept = checksumsAsked ? Optional.of(sums) : Optional.empty();
    return Optional.of(new VersionHead(etag.get(), length, plain, kept, 0, length - 1));
  }

  private static long number(String digits) {
    return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : 0;
  }

  private static boolean isStrong(String etag) {
    return etag.length() > 2 && etag.startsWith("\"") && etag.endsWith("\"");
  }

  private static boolean isChecksum(String name) {
    return name.regionMatches(true, 0, CHECKSUM, 0, CHECKSUM.length());
  }

  private static boolean isOfOneResponse(String name) {
    return OF_ONE_RESPONSE.contains(name.toLowerCase(Locale.ROOT));
  }

  private static boolean forbids(HttpFields fields) {
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i).toLowerCase(Locale.ROOT);
      boolean forbids =
          switch (name) {
            case "cache-control" -> fields.value(i).toLowerCase(Locale.ROOT).contains("no-store");
            case "vary" -> fields.value(i).contains("*");
            default ->
                NOT_TO_KEEP.contains(name)
                    || name.startsWith("x-amz-server-side-encryption-customer-");
          };
      if (forbids) {
        return true;
      }
    }
    return false;
  }
}
