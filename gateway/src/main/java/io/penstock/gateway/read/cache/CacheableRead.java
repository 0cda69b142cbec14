package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.ByteRange;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.upstream.UpstreamRequest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A GET that the cache understands in every detail. Anything unusual about a request, known or not,
 * makes it one that the store answers: customer keys, overridden response fields, parts, cross
 * origin reads, several conditions.
 *
 * @param checksums whether the client asks for the object's checksums
 */
record CacheableRead(ObjectName name, ByteRange range, Condition condition, boolean checksums) {
  /**
   * Fields of S3 that change nothing about the object's bytes. AWS SDKs ask with x-amz-te for a sum
   * behind the body, and do without if there is none.
   */
  private static final Set<String> HARMLESS =
      Set.of(
          "x-amz-user-agent", "x-amz-content-sha256", "x-amz-te", "x-amz-sdk-checksum-algorithm");

  /** Of the request's own, empty body. */
  private static final String CHECKSUM = "x-amz-checksum-";

  /** Empty if the cache has no part in it. */
  static Optional<CacheableRead> of(UpstreamRequest get) {
    Optional<String> version = version(get.target().query());
    if (version.isEmpty() || !get.method().equals("GET")) {
      return Optional.empty();
    }
    HttpFields fields = get.fields();
    Condition condition = new Condition.None();
    boolean ranged = false;
    boolean checksums = false;
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i).toLowerCase(Locale.ROOT);
      if (name.equals("range")) {
        ranged = true;
      } else if (name.equals("x-amz-checksum-mode")) {
        checksums = fields.value(i).equalsIgnoreCase("ENABLED");
      } else if (name.startsWith("if-")) {
        Optional<Condition> read = Condition.of(name, fields.value(i));
        if (read.isEmpty() || !(condition instanceof Condition.None)) {
          return Optional.empty();
        }
        condition = read.get();
      } else if (isUnusual(name, fields.value(i))) {
        return Optional.empty();
      }
    }
    ByteRange range = ByteRange.of(fields);
    if (ranged && range instanceof ByteRange.All) {
      // stores differ in what they make of a range that they do not understand
      return Optional.empty();
    }
    ObjectName object = new ObjectName(get.target().bucket(), get.target().key(), version.get());
    return Optional.of(new CacheableRead(object, range, condition, checksums));
  }

  /** The version asked for, "" for the current one; empty if the query asks for more. */
  private static Optional<String> version(Query query) {
    String version = "";
    for (Query.Parameter parameter : query.parameters()) {
      switch (parameter.name()) {
        case "versionId" -> version = parameter.value();
        case "x-id" -> {}
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(version);
  }

  private static boolean isUnusual(String name, String value) {
    return switch (name) {
      case "origin", "cookie" -> true;
      case "cache-control", "pragma" -> value.toLowerCase(Locale.ROOT).contains("no-");
      default ->
          name.startsWith("x-amz-") && !HARMLESS.contains(name) && !name.startsWith(CHECKSUM);
    };
  }

  /** The fields of the client's request without those that this read stands for. */
  static HttpFields plain(HttpFields fields) {
    return fields.without(
        field -> {
          String name = field.toLowerCase(Locale.ROOT);
          return name.equals("range") || name.equals("x-amz-te") || name.startsWith("if-");
        });
  }

  /** The fields that make the store answer in a form that can be kept. */
  static HttpFields keepable(HttpFields fields) {
    return fields.has("x-amz-te")
        ? fields.without(field -> field.equalsIgnoreCase("x-amz-te"))
        : fields;
  }

  /** Where the read begins, if that can be said without the object's length; else -1. */
  long first() {
    return switch (range) {
      case ByteRange.All() -> 0;
      case ByteRange.From(long first) -> first;
      case ByteRange.FromTo(long first, long _) -> first;
      case ByteRange.Suffix _ -> -1;
    };
  }
}
