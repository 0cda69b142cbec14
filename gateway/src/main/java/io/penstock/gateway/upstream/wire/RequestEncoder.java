package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.upstream.UpstreamBody;
import java.util.Set;

/**
 * Writes the head of a request. Refuses every character that could end a line early, so that a
 * field's value can never become a second field or a second request.
 *
 * <p>Threading: stateless.
 */
final class RequestEncoder {
  private static final Set<String> USUALLY_WITH_BODY = Set.of("PUT", "POST", "PATCH");
  private static final int TYPICAL_HEAD = 1024;

  private RequestEncoder() {}

  /**
   * The head as bytes, Latin-1; the caller releases it.
   *
   * @throws IllegalArgumentException if a part has a character that HTTP does not allow there
   */
  static ByteBuf encode(WireRequest request, ByteBufAllocator allocator) {
    ByteBuf out = allocator.directBuffer(TYPICAL_HEAD);
    try {
      word(out, request.method());
      out.writeByte(' ');
      word(out, request.target());
      ascii(out, " HTTP/1.1\r\n");
      HttpFields fields = request.fields();
      for (int i = 0; i < fields.size(); i++) {
        framingIsOurs(fields.name(i));
        word(out, fields.name(i));
        out.writeByte(':').writeByte(' ');
        text(out, fields.value(i));
        out.writeByte('\r').writeByte('\n');
      }
      long length = request.body().length();
      if (length > 0
          || !(request.body() instanceof UpstreamBody.None)
          || USUALLY_WITH_BODY.contains(request.method())) {
        ascii(out, "content-length: ");
        ascii(out, Long.toString(length));
        out.writeByte('\r').writeByte('\n');
      }
      return out.writeByte('\r').writeByte('\n');
    } catch (IllegalArgumentException e) {
      out.release();
      throw e;
    }
  }

  private static void framingIsOurs(String name) {
    if ((name.length() == 14 && name.equalsIgnoreCase("content-length"))
        || (name.length() == 17 && name.equalsIgnoreCase("transfer-encoding"))) {
      throw new IllegalArgumentException(name + " follows from the body, not from the fields");
    }
  }

  private static void ascii(ByteBuf out, String text) {
    for (int i = 0; i < text.length(); i++) {
      out.writeByte(text.charAt(i));
    }
  }

  /** A method, target or field name: visible characters only. */
  private static void word(ByteBuf out, String word) {
    out.ensureWritable(word.length());
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c <= ' ' || c >= 127) {
        throw refused(c);
      }
      out.writeByte(c);
    }
    if (word.isEmpty()) {
      throw new IllegalArgumentException("a request line or field name has an empty part");
    }
  }

  private static void text(ByteBuf out, String text) {
    out.ensureWritable(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < ' ' && c != '\t') || c == 127 || c > 255) {
        throw refused(c);
      }
      out.writeByte(c);
    }
  }

  private static IllegalArgumentException refused(char c) {
    return new IllegalArgumentException(
        "character 0x%02x is not allowed in a request head".formatted((int) c));
  }
}
