package io.penstock.gateway.access;

import io.penstock.gateway.http.HttpFields;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a read (RFC 9110, section 13.2.2). If-Modified-Since is left out: an object's
 * features change with the model as well, which no date of the store shows.
 */
final class Preconditions {

  /** What they come to. */
  enum Verdict {
    GO_ON,
    NOT_MODIFIED,
    FAILED
  }

  private Preconditions() {}

  static Verdict of(HttpFields asked, String etag, Optional<String> lastModified) {
    List<String> match = asked.all("if-match");
    if (!match.isEmpty()) {
      if (!names(match, etag, false)) {
        return Verdict.FAILED;
      }
    } else if (changedSince(asked.get("if-unmodified-since"), lastModified)) {
      return Verdict.FAILED;
    }
    List<String> none = asked.all("if-none-match");
    return !none.isEmpty() && names(none, etag, true) ? Verdict.NOT_MODIFIED : Verdict.GO_ON;
  }

  /** Whether a range still means this version, by If-Range. */
  static boolean rangeHolds(HttpFields asked, String etag) {
    return asked.get("if-range").map(tag -> tag.strip().equals(etag)).orElse(true);
  }

  /** S3 also takes a tag without quotes. */
  private static boolean names(List<String> values, String etag, boolean weakly) {
    for (String value : values) {
      for (String item : value.split(",", -1)) {
        String tag = item.strip();
        String compared = weakly && tag.startsWith("W/") ? tag.substring(2) : tag;
        if (compared.equals("*") || compared.equals(etag) || etag.equals("\"" + compared + "\"")) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean changedSince(Optional<String> since, Optional<String> modified) {
    Optional<Instant> limit = since.flatMap(Preconditions::date);
    Optional<Instant> last = modified.flatMap(Preconditions::date);
    return limit.isPresent() && last.isPresent() && last.get().isAfter(limit.get());
  }

  private static Optional<Instant> date(String value) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip())));
    } catch (DateTimeException unknown) {
      return Optional.empty();
    }
  }
}
