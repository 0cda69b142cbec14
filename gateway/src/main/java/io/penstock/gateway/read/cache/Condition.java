package io.penstock.gateway.read.cache;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The one condition of a read (RFC 9110, section 13). A hit answers only reads whose condition
 * surely holds; what 304 and 412 look like is the store's affair.
 *
 * <p>Threading: immutable.
 */
sealed interface Condition {

  /** No condition. */
  record None() implements Condition {}

  /** If-Match with one strong tag; S3 also takes it without quotes. */
  record Match(String etag) implements Condition {}

  /** If-None-Match with one strong tag. */
  record NoneMatch(String etag) implements Condition {}

  record ModifiedSince(Instant since) implements Condition {}

  record UnmodifiedSince(Instant since) implements Condition {}

  /** Empty if the field says something else than the plain forms above. */
  static Optional<Condition> of(String name, String value) {
    return switch (name) {
      case "if-match" -> tag(value).map(Match::new);
      case "if-none-match" -> tag(value).map(NoneMatch::new);
      case "if-modified-since" -> date(value).map(ModifiedSince::new);
      case "if-unmodified-since" -> date(value).map(UnmodifiedSince::new);
      default -> Optional.empty();
    };
  }

  /** Whether the condition holds, so that the store would answer with the object. */
  default boolean holds(ObjectEntry entry) {
    return switch (this) {
      case None() -> true;
      case Match(String etag) -> etag.equals(entry.etag());
      case NoneMatch(String etag) -> !etag.equals(entry.etag());
      case ModifiedSince(Instant since) ->
          modified(entry).filter(time -> time.isAfter(since)).isPresent();
      case UnmodifiedSince(Instant since) ->
          modified(entry).filter(time -> !time.isAfter(since)).isPresent();
    };
  }

  private static Optional<Instant> modified(ObjectEntry entry) {
    return entry.fields().get("last-modified").flatMap(Condition::date);
  }

  private static Optional<String> tag(String value) {
    String tag = value.strip();
    boolean list = tag.isEmpty() || tag.contains(",") || tag.contains("*") || tag.startsWith("W/");
    return list ? Optional.empty() : Optional.of(tag.startsWith("\"") ? tag : "\"" + tag + "\"");
  }

  private static Optional<Instant> date(String value) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip())));
    } catch (DateTimeException unknown) {
      return Optional.empty();
    }
  }
}
