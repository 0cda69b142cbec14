package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Which fields of a client's request go on to the store. Left behind are those that belong to the
 * client's connection, to its signature, or to a framing that has been taken off.
 *
 * <p>Threading: stateless.
 */
public final class ForwardedFields {
  private ForwardedFields() {}

  /**
   * {@code received} without what must not be forwarded; {@code aws-chunked} is taken out of {@code
   * Content-Encoding} and other codings stay.
   */
  public static HttpFields of(HttpFields received) {
    Set<String> connection = namedByConnection(received);
    HttpFields.Builder kept = HttpFields.builder();
    for (int i = 0; i < received.size(); i++) {
      String name = received.name(i).toLowerCase(Locale.ROOT);
      String value = received.value(i);
      if (name.equals("content-encoding")) {
        ContentEncoding.ofObject(value).ifPresent(v -> kept.add("content-encoding", v));
      } else if (!isLeftBehind(name) && !connection.contains(name)) {
        kept.add(received.name(i), value);
      }
    }
    return kept.build();
  }

  private static boolean isLeftBehind(String name) {
    return switch (name) {
      case "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade" ->
          true;
      case "authorization", "date", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token" ->
          true;
      case "x-amz-decoded-content-length", "x-amz-sdk-checksum-algorithm", "x-amz-trailer" -> true;
      default -> false;
    };
  }

  /** Nobody on the way may take out, by naming it in Connection, a field that means something. */
  private static Set<String> namedByConnection(HttpFields fields) {
    Set<String> names = new HashSet<>();
    for (String value : fields.all("connection")) {
      for (String token : value.split(",", -1)) {
        String name = token.strip().toLowerCase(Locale.ROOT);
        boolean meansSomething =
            name.startsWith("x-amz-")
                || name.startsWith("content-")
                || name.startsWith("if-")
                || name.equals("range");
        if (!meansSomething) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
