package io.penstock.sink.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Status and fields of a response.
 *
 * @param fields by name in lower case; of several, the last
 */
record ResponseHead(int status, Map<String, String> fields) {
  ResponseHead {
    fields = Map.copyOf(fields);
  }

  /**
   * The head in these lines, the empty one left out.
   *
   * @throws IOException if they are none
   */
  static ResponseHead of(List<String> lines) throws IOException {
    String first = lines.isEmpty() ? "" : lines.getFirst();
    if (!first.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new IOException("what answers does not speak HTTP/1.1");
    }
    Map<String, String> fields = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new IOException("a field of the response has no name");
      }
      fields.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new ResponseHead(Integer.parseInt(first.substring(9, 12)), fields);
  }

  Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  boolean chunked() {
    return field("transfer-encoding").orElse("").toLowerCase(Locale.ROOT).endsWith("chunked");
  }

  /**
   * The length of the body if it is not chunked; as long as the connection lasts where none is
   * given.
   */
  long length() throws IOException {
    String length = fields.get("content-length");
    if (length == null) {
      return Long.MAX_VALUE;
    }
    if (!length.matches("[0-9]{1,18}")) {
      throw new IOException("a body cannot have the length " + length);
    }
    return Long.parseLong(length);
  }
}
