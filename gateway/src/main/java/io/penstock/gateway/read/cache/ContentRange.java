package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.HttpFields;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Content-Range of a 206 (RFC 9110, 14.4).
 *
 * @param length of the whole object
 */
record ContentRange(long first, long last, long length) {
  private static final Pattern FORM =
      Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");

  /** Empty if there is none, or the length of the whole is not in it. */
  static Optional<ContentRange> of(HttpFields fields) {
    Matcher form = FORM.matcher(fields.get("content-range").orElse(""));
    if (!form.matches()) {
      return Optional.empty();
    }
    ContentRange range =
        new ContentRange(
            Long.parseLong(form.group(1)),
            Long.parseLong(form.group(2)),
            Long.parseLong(form.group(3)));
    boolean sound = range.first <= range.last && range.last < range.length;
    return sound ? Optional.of(range) : Optional.empty();
  }

  @Override
  public String toString() {
    return "bytes " + first + "-" + last + "/" + length;
  }
}
