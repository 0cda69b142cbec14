package io.penstock.gateway.s3;

import io.penstock.gateway.http.HttpFields;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@code Range} field asks for (RFC 9110, section 14), as S3 reads it: a field that cannot
 * be understood, another unit than bytes, and several ranges at once all mean the whole object.
 *
 * <p>Threading: immutable.
 */
public sealed interface ByteRange {

  /** No range, or one that is ignored. */
  record All() implements ByteRange {}

  /** {@code first-last}, both inclusive, {@code first <= last}. */
  record FromTo(long first, long last) implements ByteRange {}

  /** {@code first-}: from here to the end. */
  record From(long first) implements ByteRange {}

  /** {@code -length}: the last bytes. */
  record Suffix(long length) implements ByteRange {}

  /** What a range comes to for an object of known length. */
  sealed interface Extent {}

  /** The whole object, answered with 200. */
  record Whole() implements Extent {}

  /** Bytes {@code first} to {@code last}, both inclusive, answered with 206. */
  record Part(long first, long last) implements Extent {
    public long length() {
      return last - first + 1;
    }
  }

  /** No byte of the object is in the range; answered with 416. */
  record Unsatisfiable() implements Extent {}

  Pattern SINGLE = Pattern.compile("bytes=(\\d*)-(\\d*)", Pattern.CASE_INSENSITIVE);

  static ByteRange of(HttpFields fields) {
    List<String> values = fields.all("range");
    return values.size() == 1 ? parse(values.getFirst()) : new All();
  }

  static ByteRange parse(String value) {
    Matcher matcher = SINGLE.matcher(value.strip());
    if (!matcher.matches()) {
      return new All();
    }
    String first = matcher.group(1);
    String last = matcher.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? new All() : new Suffix(number(last));
    }
    if (last.isEmpty()) {
      return new From(number(first));
    }
    return number(first) <= number(last) ? new FromTo(number(first), number(last)) : new All();
  }

  /** Places this range on an object of {@code length} bytes. */
  default Extent resolve(long length) {
    return switch (this) {
      case All() -> new Whole();
      case FromTo(long first, long last) -> part(first, Math.min(last, length - 1), length);
      case From(long first) -> part(first, length - 1, length);
      case Suffix(long wanted) ->
          wanted == 0
              ? new Unsatisfiable()
              : part(Math.max(0, length - wanted), length - 1, length);
    };
  }

  private static Extent part(long first, long last, long length) {
    return first < length ? new Part(first, last) : new Unsatisfiable();
  }

  /** Numbers beyond long are valid by the grammar; no object reaches them. */
  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException _) {
      return Long.MAX_VALUE;
    }
  }
}
