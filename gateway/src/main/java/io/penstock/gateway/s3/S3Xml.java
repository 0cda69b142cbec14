package io.penstock.gateway.s3;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The XML of S3 that the gateway itself writes or has to look into. Reading is strict and bounded:
 * a document type definition is refused, so that no entity is ever resolved or expanded.
 *
 * <p>Threading: stateless.
 */
public final class S3Xml {
  private S3Xml() {}

  /** An error document. */
  public static byte[] error(
      S3Error error, String message, String resource, String requestId, String hostId) {
    return error(error.code(), message, resource, requestId, hostId);
  }

  /** An error document with a code that is not the gateway's own. */
  public static byte[] error(
      String code, String message, String resource, String requestId, String hostId) {
    StringBuilder xml = new StringBuilder(256 + message.length() + resource.length());
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>");
    element(xml, "Code", code);
    element(xml, "Message", message);
    element(xml, "Resource", resource);
    element(xml, "RequestId", requestId);
    element(xml, "HostId", hostId);
    return xml.append("</Error>").toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The code of an {@code <Error>} document that {@code prefix} begins, also after the white space
   * that keeps a long answer alive; empty if it begins another document, or none yet.
   */
  public static Optional<String> errorCode(byte[] prefix) {
    return ErrorDocument.code(prefix);
  }

  /**
   * The keys of a DeleteObjects body, in order.
   *
   * @throws S3Exception MalformedXML
   */
  public static List<String> deleteKeys(byte[] body) {
    return DeleteDocument.keys(body);
  }

  /**
   * A ListBuckets answer without the buckets that {@code visible} refuses.
   *
   * @throws S3Exception InternalError if the store's answer is not what it should be
   */
  public static byte[] filterBuckets(byte[] answer, Predicate<String> visible) {
    return BucketsDocument.filter(answer, visible);
  }

  /**
   * A listing of objects as if it were that of {@code bucket}, whose objects have other ETags and
   * another length; objects without bytes keep theirs.
   *
   * @param etag the object's ETag, quoted, by that of the listing
   * @throws S3Exception InternalError if the store's answer is not what it should be
   */
  public static byte[] renamedListing(
      byte[] answer, String bucket, long length, UnaryOperator<String> etag) {
    return new ListingDocument(bucket, length, etag).rewrite(answer);
  }

  /**
   * One page of a ListObjectsV2 answer.
   *
   * @throws S3Exception InternalError if the store's answer is not what it should be
   */
  public static ListPage listPage(byte[] answer) {
    return ListDocument.page(answer);
  }

  private static void element(StringBuilder xml, String name, String text) {
    xml.append('<').append(name).append('>');
    escape(xml, text);
    xml.append("</").append(name).append('>');
  }

  /** Characters that XML 1.0 cannot hold in any spelling are shown percent-encoded. */
  private static void escape(StringBuilder xml, String text) {
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '&' -> xml.append("&amp;");
                case '"' -> xml.append("&quot;");
                case '\r' -> xml.append("&#13;");
                case '\t', '\n' -> xml.append((char) c);
                default -> {
                  if (c < ' ') {
                    xml.append(String.format("%%%02X", c));
                  } else if ((c >= 0xd800 && c <= 0xdfff) || c == 0xfffe || c == 0xffff) {
                    xml.append('\ufffd');
                  } else {
                    xml.appendCodePoint(c);
                  }
                }
              }
            });
  }
}
