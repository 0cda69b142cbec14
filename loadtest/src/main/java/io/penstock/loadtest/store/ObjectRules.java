package io.penstock.loadtest.store;

import io.penstock.loadtest.content.SyntheticObject;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.wire.HeadScanner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the store answers to a request: a function of its head alone. Ranges and conditions follow
 * RFC 9110: an invalid range is ignored, one beyond the end is 416, several ranges get the whole
 * object; If-Match is looked at before If-None-Match.
 *
 * <p>Threading: any.
 */
final class ObjectRules {
  static final String MODIFIED = "Mon, 01 Jan 2024 00:00:00 GMT";
  private static final int LISTED = 1000;
  private static final long LISTED_SIZE = 100 << 10;

  private ObjectRules() {}

  /** The answer to the request in {@code head}, whose body (if any) is complete. */
  static Answer answer(HeadScanner head) {
    String method = head.word(0);
    String target = head.word(1);
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    int slash = path.indexOf('/', 1);
    String key = slash < 0 ? "" : path.substring(slash + 1);
    boolean headOnly = method.equals("HEAD");
    return switch (method) {
      case "GET", "HEAD" ->
          key.isEmpty()
              ? listing(path.replace("/", ""), headOnly)
              : SyntheticObject.named(key)
                  .map(object -> read(object, head, headOnly))
                  .orElseGet(() -> Answer.error("404 Not Found", "NoSuchKey", headOnly));
      case "PUT" -> stored(key);
      case "POST" -> posted(path, key, query);
      case "DELETE" -> Answer.bare("204 No Content", "");
      default -> Answer.error("501 Not Implemented", "NotImplemented", false);
    };
  }

  private static Answer read(SyntheticObject object, HeadScanner head, boolean headOnly) {
    String etag = object.etag();
    @Nullable String ifMatch = head.header("if-match");
    if (ifMatch != null && !names(ifMatch, etag)) {
      return Answer.error("412 Precondition Failed", "PreconditionFailed", headOnly);
    }
    String about =
        "ETag: " + etag + "\r\nLast-Modified: " + MODIFIED + "\r\nAccept-Ranges: bytes\r\n";
    @Nullable String ifNoneMatch = head.header("if-none-match");
    if (ifNoneMatch != null && names(ifNoneMatch, etag)) {
      return Answer.bare("304 Not Modified", about);
    }
    about += "Content-Type: application/octet-stream\r\n";
    @Nullable String range = head.header("range");
    Optional<RangeHeader> asked = range == null ? Optional.empty() : RangeHeader.parse(range);
    if (asked.isEmpty()) {
      return part("200 OK", about, object, 0, object.size(), headOnly);
    }
    long first = asked.get().first(object.size());
    long length = asked.get().length(object.size());
    if (length <= 0) {
      return unsatisfiable(object.size(), headOnly);
    }
    String where =
        "Content-Range: bytes " + first + "-" + (first + length - 1) + "/" + object.size() + "\r\n";
    return part("206 Partial Content", about + where, object, first, length, headOnly);
  }

  private static Answer unsatisfiable(long size, boolean headOnly) {
    Answer.Text error =
        Answer.error("416 Requested Range Not Satisfiable", "InvalidRange", headOnly);
    String where = "\r\nContent-Range: bytes */" + size + "\r\n\r\n";
    return new Answer.Text(
        error.head().substring(0, error.head().length() - 4) + where, error.body());
  }

  private static Answer part(
      String status,
      String about,
      SyntheticObject object,
      long first,
      long length,
      boolean headOnly) {
    String head = "HTTP/1.1 " + status + "\r\n" + about + "Content-Length: " + length + "\r\n\r\n";
    return new Answer.Bytes(head, object.n(), first, headOnly ? 0 : length);
  }

  private static boolean names(String condition, String etag) {
    if (condition.strip().equals("*")) {
      return true;
    }
    for (String one : condition.split(",", -1)) {
      String bare = one.strip();
      if (bare.equals(etag) || bare.equals("W/" + etag)) {
        return true;
      }
    }
    return false;
  }

  private static Answer stored(String key) {
    String etag =
        SyntheticObject.named(key)
            .map(SyntheticObject::etag)
            .orElse("\"d41d8cd98f00b204e9800998ecf8427e\"");
    return Answer.bare("200 OK", "ETag: " + etag + "\r\nContent-Length: 0\r\n");
  }

  private static Answer posted(String path, String key, String query) {
    String bucket = path.substring(1, Math.max(1, path.length() - key.length() - 1));
    String names = "<Bucket>" + bucket + "</Bucket><Key>" + key + "</Key>";
    if (query.equals("uploads") || query.startsWith("uploads=")) {
      String body =
          "<InitiateMultipartUploadResult>"
              + names
              + "<UploadId>upload-1</UploadId></InitiateMultipartUploadResult>";
      return Answer.xml("200 OK", body, false);
    }
    if (query.contains("uploadId=")) {
      String body =
          "<CompleteMultipartUploadResult>"
              + names
              + "<ETag>&quot;00000000000000000000000000000000-1&quot;</ETag></CompleteMultipartUploadResult>";
      return Answer.xml("200 OK", body, false);
    }
    return Answer.error("501 Not Implemented", "NotImplemented", false);
  }

  private static Answer listing(String bucket, boolean headOnly) {
    var xml = new StringBuilder(200 * LISTED);
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult>");
    xml.append("<Name>").append(bucket).append("</Name><Prefix></Prefix><KeyCount>").append(LISTED);
    xml.append("</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>");
    for (int n = 0; n < LISTED; n++) {
      var object = new SyntheticObject(Scenario.Objects.key(LISTED_SIZE, n), LISTED_SIZE, n);
      xml.append("<Contents><Key>").append(object.name());
      xml.append("</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified><ETag>");
      xml.append(object.etag().replace("\"", "&quot;")).append("</ETag><Size>");
      xml.append(LISTED_SIZE).append("</Size><StorageClass>STANDARD</StorageClass></Contents>");
    }
    return Answer.xml("200 OK", xml.append("</ListBucketResult>").toString(), headOnly);
  }
}
