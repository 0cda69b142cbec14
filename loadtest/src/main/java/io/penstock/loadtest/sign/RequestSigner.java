package io.penstock.loadtest.sign;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Signs requests with AWS Signature Version 4 in the Authorization header (Amazon S3 API Reference,
 * "Authenticating Requests: Using the Authorization Header"). All headers given are signed.
 *
 * <p>Threading: immutable.
 */
public final class RequestSigner {
  /** The hash that says: the body is not part of the signature. */
  public static final String UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

  /** The hash of no body. */
  public static final String EMPTY_PAYLOAD =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Keys keys;

  /** Who signs. */
  public record Keys(String accessKey, String secretKey, String region) {
    /** Nobody: requests go out without a signature. */
    public static final Keys NONE = new Keys("", "", "");

    @Override
    public String toString() {
      return "Keys[" + accessKey + ", ***, " + region + "]";
    }
  }

  /**
   * What is signed. {@code path} is raw: encoded as it goes over the wire. {@code query} is already
   * canonical (sorted, encoded); header names are lower case and include {@code host}.
   */
  public record Unsigned(
      String method, String path, String query, Map<String, String> headers, String payloadHash) {}

  /** The headers to send and what chunk signatures are chained to. */
  public record Signed(Map<String, String> headers, ChunkSigner chunks) {}

  public RequestSigner(Keys keys) {
    this.keys = keys;
  }

  /**
   * The given headers with x-amz-date, x-amz-content-sha256 and authorization beside them; without
   * keys, the given headers.
   */
  public Signed sign(Unsigned request, Instant now) {
    String stamp = STAMP.format(now);
    if (keys.equals(Keys.NONE)) {
      return new Signed(request.headers(), new ChunkSigner(new byte[32], stamp, "", ""));
    }
    var headers = new TreeMap<>(request.headers());
    headers.put("x-amz-content-sha256", request.payloadHash());
    headers.put("x-amz-date", stamp);
    String names = String.join(";", headers.keySet());
    String canonical =
        String.join(
            "\n",
            request.method(),
            request.path(),
            request.query(),
            headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue().strip() + "\n")
                .collect(Collectors.joining()),
            names,
            request.payloadHash());
    String scope = stamp.substring(0, 8) + "/" + keys.region() + "/s3/aws4_request";
    byte[] key = signingKey(stamp.substring(0, 8));
    String toSign =
        String.join("\n", "AWS4-HMAC-SHA256", stamp, scope, Digests.sha256Hex(canonical));
    String signature = Digests.hex(Digests.hmac(key, toSign));
    headers.put(
        "authorization",
        "AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%s"
            .formatted(keys.accessKey(), scope, names, signature));
    return new Signed(headers, new ChunkSigner(key, stamp, scope, signature));
  }

  private byte[] signingKey(String day) {
    byte[] key = ("AWS4" + keys.secretKey()).getBytes(StandardCharsets.UTF_8);
    for (String part : new String[] {day, keys.region(), "s3", "aws4_request"}) {
      key = Digests.hmac(key, part);
    }
    return key;
  }
}
