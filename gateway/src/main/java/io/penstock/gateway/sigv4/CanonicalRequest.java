package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import java.util.List;
import java.util.Optional;

/**
 * A request in the form that is hashed and signed (S3 API reference, "Signature calculations"). The
 * same head can have been signed in more than one form; {@link Form} says which one is written.
 *
 * <p>Threading: immutable.
 *
 * @param rawPath as on the wire, without the query
 * @param signedHeaders names in lower case, in the order of the signature
 * @param payloadHash the last line: a hex SHA-256 or one of the literals that stand for it
 */
record CanonicalRequest(
    String method,
    String rawPath,
    CanonicalQuery query,
    HttpFields fields,
    List<String> signedHeaders,
    String payloadHash) {

  /**
   * One way to read the head.
   *
   * @param recodedPath the path decoded and encoded once instead of as sent
   * @param collapsed runs of spaces inside values become one space
   * @param host replaces the value of {@code Host}
   */
  record Form(boolean recodedPath, boolean collapsed, Optional<String> host) {
    /** What nearly every client signs. */
    static final Form WIRE = new Form(false, true, Optional.empty());
  }

  /** Whether a path decoded and encoded once differs from the one sent. */
  boolean hasOtherPath() {
    return !CanonicalEncoding.recodePath(rawPath).equals(rawPath);
  }

  /** Whether collapsing spaces changes a signed value. */
  boolean hasRunsOfSpaces() {
    for (int i = 0; i < fields.size(); i++) {
      String value = fields.value(i);
      if ((value.contains("  ") || value.indexOf('\t') >= 0) && isSigned(fields.name(i))) {
        return true;
      }
    }
    return false;
  }

  boolean isSigned(String name) {
    for (String signed : signedHeaders) {
      if (signed.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  void writeTo(ByteArray out, Form form) {
    out.add(method).add('\n');
    String path = form.recodedPath ? CanonicalEncoding.recodePath(rawPath) : rawPath;
    out.add(path.isEmpty() ? "/" : path).add('\n');
    query.writeTo(out, "X-Amz-Signature");
    out.add('\n');
    for (String name : signedHeaders) {
      out.add(name).add(':');
      if (form.host.isPresent() && name.equals("host")) {
        out.add(form.host.get());
      } else {
        writeValues(name, form.collapsed, out);
      }
      out.add('\n');
    }
    out.add('\n');
    for (int i = 0; i < signedHeaders.size(); i++) {
      if (i > 0) {
        out.add(';');
      }
      out.add(signedHeaders.get(i));
    }
    out.add('\n').add(payloadHash);
  }

  private void writeValues(String name, boolean collapsed, ByteArray out) {
    boolean first = true;
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).equalsIgnoreCase(name)) {
        if (!first) {
          out.add(',');
        }
        first = false;
        writeTrimmed(fields.value(i), collapsed, out);
      }
    }
  }

  private static void writeTrimmed(String value, boolean collapsed, ByteArray out) {
    int start = 0;
    int end = value.length();
    while (start < end && isSpace(value.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(value.charAt(end - 1))) {
      end--;
    }
    if (!collapsed || (!value.contains("  ") && value.indexOf('\t') < 0)) {
      out.add(value, start, end);
      return;
    }
    boolean spaceBefore = false;
    for (int i = start; i < end; i++) {
      char c = value.charAt(i);
      boolean space = isSpace(c);
      if (!space) {
        out.add(c);
      } else if (!spaceBefore) {
        out.add(' ');
      }
      spaceBefore = space;
    }
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
