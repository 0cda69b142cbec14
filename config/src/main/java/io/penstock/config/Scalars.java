package io.penstock.config;

import java.lang.reflect.Field;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text to value and back, one rule a type. The words for what is expected come from here too, so
 * that messages and reference agree.
 */
final class Scalars {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}) ?(ms|s|m|h)");

  private Scalars() {}

  /** The value, or empty when the text is not of this type. */
  static Optional<Object> parse(Class<?> type, String text) {
    if (type == String.class) {
      return Optional.of(text);
    }
    if (type == Secret.class) {
      return Optional.of(new Secret(text));
    }
    if (type == int.class || type == Integer.class) {
      return whole(text);
    }
    if (type == boolean.class) {
      return switch (text) {
        case "true" -> Optional.of(true);
        case "false" -> Optional.of(false);
        default -> Optional.empty();
      };
    }
    if (type == Duration.class) {
      return duration(text);
    }
    if (type == ByteSize.class) {
      return ByteSize.parse(text).map(size -> size);
    }
    if (type == URI.class) {
      return origin(text);
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .filter(constant -> spelling((Enum<?>) constant).equals(text))
          .findFirst()
          .map(constant -> constant);
    }
    throw new IllegalArgumentException("no text form for " + type);
  }

  /** Why the text is not of this type and what to write instead; never the text itself. */
  static String complaint(Class<?> type, String text) {
    String complaint = "must be " + words(type);
    if (type.isEnum()) {
      return complaint + Suggestions.hint(text, spellings(type));
    }
    if (type == Duration.class && text.matches("[0-9]+")) {
      return complaint + "; a number alone has no unit";
    }
    if (type == ByteSize.class && text.matches("[0-9]+ ?[kKmMgGtT]")) {
      return complaint + "; a unit is written in full";
    }
    if (type == URI.class && !text.matches("https?://.*")) {
      return complaint + "; it does not start with http:// or https://";
    }
    if (type == URI.class && text.matches("https?://[^/:]*_.*")) {
      return complaint + "; a host name cannot hold '_'";
    }
    return complaint;
  }

  /** What a value of this type looks like, to follow "must be". */
  static String words(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return "a whole number";
    }
    if (type == boolean.class) {
      return "true or false";
    }
    if (type == Duration.class) {
      return "a duration such as 500ms, 30s or 5m";
    }
    if (type == ByteSize.class) {
      return "a size such as 64KiB, 1MB or 5GiB";
    }
    if (type == URI.class) {
      return "a URL of the form http://HOST:PORT or https://HOST:PORT, without path, query or user";
    }
    if (type.isEnum()) {
      return "one of " + String.join(", ", spellings(type));
    }
    return "a text";
  }

  /** Every way to write a constant of an enum; empty for other types. */
  static List<String> spellings(Class<?> type) {
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants()).map(c -> spelling((Enum<?>) c)).toList()
        : List.of();
  }

  static String spelling(Enum<?> constant) {
    try {
      Field field = constant.getDeclaringClass().getField(constant.name());
      Spelling spelling = field.getAnnotation(Spelling.class);
      return spelling != null
          ? spelling.value()
          : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Object> whole(String text) {
    if (!text.matches("-?[0-9]{1,10}")) {
      return Optional.empty();
    }
    long number = Long.parseLong(text);
    return number == (int) number ? Optional.of((int) number) : Optional.empty();
  }

  private static Optional<Object> duration(String text) {
    Matcher form = DURATION.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(form.group(1));
    return Optional.of(
        switch (form.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        });
  }

  /** Scheme, host and port only; a slash at the end is dropped. */
  private static Optional<Object> origin(String text) {
    try {
      URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare =
          "".equals(uri.getRawPath())
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null
              && uri.getRawUserInfo() == null;
      boolean port = uri.getPort() == -1 || (uri.getPort() >= 1 && uri.getPort() <= 65535);
      boolean host = uri.getHost() != null && !uri.getRawAuthority().endsWith(":");
      return web && bare && port && host ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
