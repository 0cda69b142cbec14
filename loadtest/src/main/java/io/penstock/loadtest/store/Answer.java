package io.penstock.loadtest.store;

import java.nio.charset.StandardCharsets;

/** What the store replies: a head and then either text or a part of a synthetic object. */
sealed interface Answer {
  /** The head as it goes over the wire, empty line included. */
  String head();

  /** A short body. */
  record Text(String head, byte[] body) implements Answer {}

  /** Bytes {@code first} to {@code first + length - 1} of object {@code n}. */
  record Bytes(String head, int n, long first, long length) implements Answer {}

  /** An answer with no body at all: to HEAD, 204, 304. */
  static Text bare(String status, String headers) {
    return new Text("HTTP/1.1 " + status + "\r\n" + headers + "\r\n", new byte[0]);
  }

  /** XML; without the body itself when {@code headOnly}. */
  static Text xml(String status, String body, boolean headOnly) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 "
            + status
            + "\r\nContent-Type: application/xml\r\nContent-Length: "
            + bytes.length
            + "\r\n\r\n";
    return new Text(head, headOnly ? new byte[0] : bytes);
  }

  /** An S3 error. */
  static Text error(String status, String code, boolean headOnly) {
    String body =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>"
            + code
            + "</Code><Message>"
            + code
            + "</Message></Error>";
    return xml(status, body, headOnly);
  }
}
