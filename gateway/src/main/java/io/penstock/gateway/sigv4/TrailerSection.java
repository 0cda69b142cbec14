package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What follows the last chunk: lines of {@code name:value}, then an empty line. Lines end in CRLF.
 * One dialect is understood beside it, as MinIO's client writes it: the fields end in a bare LF,
 * and one CRLF divides them from what follows.
 *
 * <p>Threading: not thread safe.
 */
final class TrailerSection {
  static final String SIGNATURE = "x-amz-trailer-signature";
  private static final int MAX_BYTES = 8 * 1024;

  private final StringBuilder line = new StringBuilder(128);
  private final HttpFields.Builder fields = HttpFields.builder();
  private final List<String> canonical = new ArrayList<>(2);
  private String signature = "";
  private boolean bareBefore;
  private boolean complete;
  private int bytes;

  boolean isComplete() {
    return complete;
  }

  /** The next byte; not to be called once complete. */
  void add(byte b) {
    if (++bytes > MAX_BYTES) {
      throw malformed("it has more than " + MAX_BYTES + " bytes");
    }
    if (b != '\n') {
      line.append((char) (b & 0xFF));
      return;
    }
    boolean bare = line.isEmpty() || line.charAt(line.length() - 1) != '\r';
    line.setLength(bare ? line.length() : line.length() - 1);
    endLine(line.toString(), bare);
    line.setLength(0);
    bareBefore = bare;
  }

  private void endLine(String text, boolean bare) {
    if (!text.isEmpty()) {
      if (bareBefore && !bare) {
        throw malformed("a field that ends in LF is not divided from the next by CRLF");
      }
      field(text);
    } else if (bare) {
      throw malformed("a line ends in LF without CR");
    } else {
      complete = !bareBefore;
    }
  }

  private void field(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0 || text.indexOf('\r') >= 0) {
      throw malformed("each line must read name:value");
    }
    if (!signature.isEmpty()) {
      throw malformed(SIGNATURE + " must be its last field");
    }
    String name = text.substring(0, colon).toLowerCase(Locale.ROOT);
    String value = text.substring(colon + 1).strip();
    if (name.equals(SIGNATURE)) {
      signature = value.isEmpty() ? "-" : value;
      return;
    }
    fields.add(name, value);
    canonical.add(name + ':' + value + '\n');
  }

  boolean hasFields() {
    return !canonical.isEmpty() || !signature.isEmpty();
  }

  /** The fields but the signature, names in lower case. */
  HttpFields fields() {
    return fields.build();
  }

  /** Checks the section's signature against {@code chain}. */
  void verify(ChunkSignatures chain) {
    if (signature.isEmpty()) {
      throw malformed(SIGNATURE + " is missing");
    }
    chain.endTrailer(canonical, signature);
  }

  /** Refuses a signature where none was announced. */
  void requireUnsigned() {
    if (!signature.isEmpty()) {
      throw malformed(SIGNATURE + " was not announced");
    }
  }

  private static S3Exception malformed(String what) {
    return new S3Exception(
        S3Error.MALFORMED_TRAILER_ERROR, "The trailer of the body is malformed: " + what + ".");
  }
}
