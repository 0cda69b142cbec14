package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.ByteRange;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * A read that the cache can answer: which bytes of which version.
 *
 * @param first offset of the first byte
 * @param last offset of the last byte
 * @param whole whether the answer is the whole object with status 200
 */
record Hit(ObjectEntry entry, CacheableRead read, long first, long last, boolean whole) {
  /** Of the one form that HTTP generates (RFC 9110, 5.6.7). */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Empty if only the store can answer: it must refuse, or knows more than we do. */
  static Optional<Hit> of(CacheableRead read, ObjectEntry entry) {
    Optional<Hit> hit =
        switch (read.range().resolve(entry.length())) {
          case ByteRange.Whole() -> Optional.of(new Hit(entry, read, 0, entry.length() - 1, true));
          case ByteRange.Part(long first, long last) ->
              Optional.of(new Hit(entry, read, first, last, false));
          case ByteRange.Unsatisfiable() -> Optional.empty();
        };
    return hit.filter(it -> read.condition().holds(entry))
        .filter(it -> !it.needsChecksums() || entry.checksums().isPresent());
  }

  private boolean needsChecksums() {
    return whole && read.checksums();
  }

  long length() {
    return last - first + 1;
  }

  /** The head that the store would send, but for what belongs to one answer of it only. */
  ResponseHead head(InstantSource clock) {
    HttpFields.Builder fields = entry.fields().toBuilder();
    if (needsChecksums()) {
      entry.checksums().ifPresent(fields::addAll);
    }
    if (!whole) {
      if (!entry.fields().has("accept-ranges")) {
        // some stores say so of ranges only
        fields.add("accept-ranges", "bytes");
      }
      fields.add("content-range", new ContentRange(first, last, entry.length()).toString());
    }
    fields.add("content-length", Long.toString(length()));
    fields.add("date", date(clock.instant()));
    fields.add("x-penstock-cache", "hit");
    return new ResponseHead(whole ? 200 : 206, fields.build());
  }

  private record Formatted(long second, String text) {}

  private static volatile Formatted lastDate = new Formatted(Long.MIN_VALUE, "");

  private static String date(Instant now) {
    Formatted last = lastDate;
    if (last.second() != now.getEpochSecond()) {
      last = new Formatted(now.getEpochSecond(), DATE.format(now));
      lastDate = last;
    }
    return last.text();
  }
}
