package io.penstock.gateway.sigv4;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The time stamps of signatures: {@code yyyyMMdd'T'HHmmss'Z'}, as text and as an instant.
 *
 * <p>Threading: immutable.
 */
record SigningTime(String text, Instant instant) {
  private static final int LENGTH = 16;

  /** Most signatures of one second have the same stamp. */
  private static volatile SigningTime last = format(Instant.EPOCH);

  static SigningTime of(Instant instant) {
    SigningTime known = last;
    if (known.instant.getEpochSecond() == instant.getEpochSecond()) {
      return new SigningTime(known.text, instant);
    }
    SigningTime formatted = format(instant);
    last = formatted;
    return formatted;
  }

  private static SigningTime format(Instant instant) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
    StringBuilder out = new StringBuilder(LENGTH);
    digits(out, time.getYear(), 1000);
    digits(out, time.getMonthValue(), 10);
    digits(out, time.getDayOfMonth(), 10);
    out.append('T');
    digits(out, time.getHour(), 10);
    digits(out, time.getMinute(), 10);
    digits(out, time.getSecond(), 10);
    return new SigningTime(out.append('Z').toString(), instant);
  }

  /** The stamp of {@code x-amz-date}; empty if it is not of that form. */
  static Optional<SigningTime> parse(String text) {
    if (text.length() != LENGTH || text.charAt(8) != 'T' || text.charAt(15) != 'Z') {
      return Optional.empty();
    }
    try {
      LocalDateTime time =
          LocalDateTime.of(
              number(text, 0, 4),
              number(text, 4, 6),
              number(text, 6, 8),
              number(text, 9, 11),
              number(text, 11, 13),
              number(text, 13, 15));
      return Optional.of(new SigningTime(text, time.toInstant(ZoneOffset.UTC)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The value of a {@code Date} field: either form. */
  static Optional<SigningTime> parseDate(String value) {
    Optional<SigningTime> stamp = parse(value);
    if (stamp.isPresent()) {
      return stamp;
    }
    try {
      return Optional.of(of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** {@code yyyyMMdd} */
  String day() {
    return text.substring(0, 8);
  }

  private static int number(String text, int start, int end) {
    int number = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new DateTimeException("not a digit");
      }
      number = 10 * number + c - '0';
    }
    return number;
  }

  private static void digits(StringBuilder out, int number, int highest) {
    for (int unit = highest; unit > 0; unit /= 10) {
      out.append((char) ('0' + number / unit % 10));
    }
  }
}
