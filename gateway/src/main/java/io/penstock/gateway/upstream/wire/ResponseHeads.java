package io.penstock.gateway.upstream.wire;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Reads the head of a response (RFC 9112) strictly: lines end with CR LF, no folding, no space
 * before a colon, one length at most. What is unclear is refused, because two readers that disagree
 * about where a response ends mix up two clients' data.
 *
 * <p>Threading: stateless.
 */
final class ResponseHeads {
  private static final Set<String> HOP_BY_HOP =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te");

  private ResponseHeads() {}

  /** What a head says about its message. */
  record Parsed(ResponseHead head, Framing framing, boolean keepAlive) {}

  /** How the end of a body is found. */
  sealed interface Framing {
    record Length(long bytes) implements Framing {}

    record Chunked() implements Framing {}

    record UntilClose() implements Framing {}
  }

  /**
   * Parses {@code bytes[0, length)}, which ends with the empty line. The head's fields come without
   * the hop-by-hop ones.
   */
  static Parsed parse(byte[] bytes, int length) throws BadResponse {
    int end = lineEnd(bytes, 0, length);
    boolean http11 = version(bytes, end);
    int status = status(bytes, end);
    HttpFields.Builder fields = HttpFields.builder();
    Connection connection = new Connection(http11);
    int at = end + 2;
    while (at < length - 2) {
      end = lineEnd(bytes, at, length);
      int colon = colon(bytes, at, end);
      String name = latin1(bytes, at, colon);
      String value = value(bytes, colon + 1, end);
      if (connection.keeps(name, value)) {
        fields.add(name, value);
      }
      at = end + 2;
    }
    ResponseHead head = new ResponseHead(status, fields.build());
    return new Parsed(head, connection.framing(), connection.keepAlive);
  }

  private static boolean version(byte[] bytes, int end) throws BadResponse {
    if (end < 12
        || bytes[0] != 'H'
        || bytes[1] != 'T'
        || bytes[2] != 'T'
        || bytes[3] != 'P'
        || bytes[4] != '/'
        || bytes[5] != '1'
        || bytes[6] != '.'
        || (bytes[7] != '0' && bytes[7] != '1')
        || bytes[8] != ' '
        || (end > 12 && bytes[12] != ' ')) {
      throw new BadResponse("the status line is not HTTP/1.1");
    }
    return bytes[7] == '1';
  }

  private static int status(byte[] bytes, int end) throws BadResponse {
    int status = 0;
    for (int i = 9; i < 12; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        throw new BadResponse("the status is not a number");
      }
      status = status * 10 + bytes[i] - '0';
    }
    for (int i = 12; i < end; i++) {
      if (bytes[i] == 0 || bytes[i] == '\r') {
        throw new BadResponse("the status line has a control character");
      }
    }
    if (status < 100 || status > 599) {
      throw new BadResponse("status " + status);
    }
    return status;
  }

  private static int lineEnd(byte[] bytes, int from, int length) throws BadResponse {
    for (int i = from; i < length; i++) {
      if (bytes[i] == '\n') {
        if (i > from && bytes[i - 1] == '\r') {
          return i - 1;
        }
        throw new BadResponse("a line does not end with CR LF");
      }
    }
    throw new BadResponse("a line does not end");
  }

  private static int colon(byte[] bytes, int from, int end) throws BadResponse {
    for (int i = from; i < end; i++) {
      byte b = bytes[i];
      if (b == ':' && i > from) {
        return i;
      }
      if (b <= ' ' || b == ':' || b == 127) {
        break;
      }
    }
    throw new BadResponse("a field has no proper name");
  }

  private static String value(byte[] bytes, int from, int end) throws BadResponse {
    int first = from;
    int last = end;
    while (first < last && (bytes[first] == ' ' || bytes[first] == '\t')) {
      first++;
    }
    while (last > first && (bytes[last - 1] == ' ' || bytes[last - 1] == '\t')) {
      last--;
    }
    for (int i = first; i < last; i++) {
      if (bytes[i] == 0 || bytes[i] == '\r') {
        throw new BadResponse("a field's value has a control character");
      }
    }
    return latin1(bytes, first, last);
  }

  private static String latin1(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** What the fields say about the connection and the end of the body. */
  private static final class Connection {
    private boolean keepAlive;
    private boolean chunked;
    private long length = -1;

    Connection(boolean http11) {
      keepAlive = http11;
    }

    /** Takes note of a field and says whether it travels on. */
    boolean keeps(String name, String value) throws BadResponse {
      switch (name.length()) {
        case 2, 7, 10, 14, 16, 17 -> {
          // only these lengths occur among the names below
        }
        default -> {
          return true;
        }
      }
      String lower = name.toLowerCase(Locale.ROOT);
      switch (lower) {
        case "content-length" -> length(value);
        case "transfer-encoding" -> transferEncoding(value);
        case "connection" -> connection(value.toLowerCase(Locale.ROOT));
        default -> {}
      }
      return !HOP_BY_HOP.contains(lower);
    }

    private void length(String value) throws BadResponse {
      if (value.isEmpty() || value.length() > 18) {
        throw new BadResponse("Content-Length '" + value + "'");
      }
      long bytes = 0;
      for (int i = 0; i < value.length(); i++) {
        int digit = value.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
          throw new BadResponse("Content-Length '" + value + "'");
        }
        bytes = bytes * 10 + digit;
      }
      if (length >= 0 && length != bytes) {
        throw new BadResponse("two different Content-Lengths");
      }
      length = bytes;
    }

    private void transferEncoding(String value) throws BadResponse {
      if (chunked || !value.equalsIgnoreCase("chunked")) {
        throw new BadResponse("Transfer-Encoding '" + value + "'");
      }
      chunked = true;
    }

    private void connection(String lower) {
      if (lower.contains("close")) {
        keepAlive = false;
      } else if (lower.contains("keep-alive")) {
        keepAlive = true;
      }
    }

    Framing framing() throws BadResponse {
      if (chunked && length >= 0) {
        throw new BadResponse("both Content-Length and Transfer-Encoding");
      }
      if (chunked) {
        return new Framing.Chunked();
      }
      return length >= 0 ? new Framing.Length(length) : new Framing.UntilClose();
    }
  }
}
