package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.http.ResponseHead;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardedFieldsTest {
  private final S3RequestParser parser = new S3RequestParser(List.of(), StoreKind.OTHER);

  private HttpFields forwarded(String method, String target, String... fields) {
    RequestHead head = new RequestHead(method, target, HttpFields.of(fields));
    return ForwardedFields.request(head, parser.parse(head).operation());
  }

  @Test
  void whatDescribesTheObjectPassesInOrder() {
    String[] fields = {
      "Content-Type", "image/jpeg",
      "Content-MD5", "rL0Y20zC+Fzt72VPzMSk2A==",
      "Cache-Control", "no-store",
      "Content-Disposition", "inline",
      "Content-Language", "de",
      "x-amz-meta-B", "2",
      "X-Amz-Meta-a", "1",
      "x-amz-meta-a", "3",
      "x-amz-storage-class", "STANDARD_IA",
      "x-amz-server-side-encryption-customer-key", "secret",
      "x-amz-checksum-sha256", "abc",
      "x-amz-sdk-checksum-algorithm", "SHA256",
      "If-None-Match", "*",
      "Range", "bytes=0-1",
      "User-Agent", "test",
      "x-amz-user-agent", "sdk",
      "x-amz-expected-bucket-owner", "123",
      "x-minio-extract", "true",
      "x-amz-website-redirect-location", "",
      "X-Unknown", "kept",
    };
    assertThat(forwarded("PUT", "/b/k", fields)).isEqualTo(HttpFields.of(fields));
  }

  @Test
  void whatBelongsToTheClientsConnectionAndSignatureStays() {
    assertThat(
            forwarded(
                "PUT",
                "/b/k",
                "Host",
                "gateway",
                "Connection",
                "keep-alive, X-Private , te",
                "X-Private",
                "1",
                "Keep-Alive",
                "timeout=5",
                "TE",
                "trailers",
                "Trailer",
                "x-amz-checksum-crc32",
                "Transfer-Encoding",
                "chunked",
                "Upgrade",
                "h2c",
                "HTTP2-Settings",
                "x",
                "Proxy-Authorization",
                "Basic x",
                "Proxy-Connection",
                "keep-alive",
                "Authorization",
                "AWS4-HMAC-SHA256 ...",
                "Date",
                "Mon, 30 Nov 2026 20:00:00 GMT",
                "Expect",
                "100-continue",
                "Accept-Encoding",
                "gzip",
                "Content-Length",
                "77",
                "X-Forwarded-For",
                "10.0.0.1",
                "X-Forwarded-Proto",
                "https",
                "Forwarded",
                "for=10.0.0.1",
                "Via",
                "1.1 proxy",
                "X-Amz-Date",
                "20261130T200000Z",
                "X-Amz-Security-Token",
                "token",
                "X-Amz-Content-Sha256",
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                "X-Amz-Decoded-Content-Length",
                "10",
                "X-Amz-Trailer",
                "x-amz-checksum-crc32",
                "Content-Type",
                "text/plain"))
        .isEqualTo(HttpFields.of("Content-Type", "text/plain"));
  }

  @Test
  void onlyTheFramingGoesFromContentEncoding() {
    assertThat(forwarded("PUT", "/b/k", "Content-Encoding", "aws-chunked"))
        .isEqualTo(HttpFields.EMPTY);
    assertThat(
            forwarded("PUT", "/b/k", "Content-Encoding", "aws-chunked,gzip")
                .all("content-encoding"))
        .containsExactly("gzip");
    assertThat(
            forwarded("PUT", "/b/k", "content-encoding", "gzip, AWS-Chunked ,br")
                .all("content-encoding"))
        .containsExactly("gzip,br");
    assertThat(forwarded("PUT", "/b/k", "Content-Encoding", "gzip, br").all("content-encoding"))
        .containsExactly("gzip, br");
  }

  @Test
  void theChecksumAlgorithmGoesWithItsChecksum() {
    assertThat(
            forwarded(
                "PUT",
                "/b/k",
                "x-amz-sdk-checksum-algorithm",
                "CRC32",
                "x-amz-checksum-type",
                "FULL_OBJECT"))
        .isEqualTo(HttpFields.of("x-amz-checksum-type", "FULL_OBJECT"));
    assertThat(
            forwarded("POST", "/b/k?uploads", "x-amz-checksum-algorithm", "CRC32")
                .has("x-amz-checksum-algorithm"))
        .isTrue();
  }

  @Test
  void aCopySourceGoesOutInOneSpelling() {
    assertThat(
            forwarded("PUT", "/b/k", "X-Amz-Copy-Source", "/src/a+b \u00c3\u00a9%2Fc?versionId=1+2")
                .all("x-amz-copy-source"))
        .containsExactly("src/a%2Bb%20%C3%A9/c?versionId=1%2B2");
  }

  @Test
  void aCopySourceThatNobodyAuthorisedDoesNotGoOut() {
    assertThat(forwarded("PUT", "/b/k?tagging", "x-amz-copy-source", "src/k"))
        .isEqualTo(HttpFields.EMPTY);
    assertThat(forwarded("PUT", "/b", "x-amz-copy-source", "src/k")).isEqualTo(HttpFields.EMPTY);
  }

  @Test
  void fieldsOfAPresignedUrlBecomeFields() {
    assertThat(
            forwarded(
                "PUT",
                "/b/k?x-amz-acl=private&X-Amz-Meta-Owner=me%20too&X-Amz-Signature=s&X-Amz-Date=d"
                    + "&x-amz-storage-class=STANDARD",
                "x-amz-storage-class",
                "GLACIER"))
        .isEqualTo(
            HttpFields.of(
                "x-amz-storage-class",
                "GLACIER",
                "x-amz-acl",
                "private",
                "x-amz-meta-owner",
                "me too"));
  }

  @Test
  void aResponsePassesButForTheStoresConnection() {
    assertThat(
            ForwardedFields.response(
                new ResponseHead(
                    200,
                    HttpFields.of(
                        "x-amz-request-id", "1",
                        "ETag", "\"e\"",
                        "Content-Length", "5",
                        "Connection", "close, X-Hop",
                        "X-Hop", "1",
                        "Keep-Alive", "timeout=5",
                        "Transfer-Encoding", "chunked",
                        "Alt-Svc", "h3=\":443\"",
                        "Strict-Transport-Security", "max-age=1",
                        "x-amz-checksum-crc32", "abc",
                        "Access-Control-Allow-Origin", "*",
                        "Server", "store"))))
        .isEqualTo(
            HttpFields.of(
                "x-amz-request-id", "1",
                "ETag", "\"e\"",
                "Content-Length", "5",
                "x-amz-checksum-crc32", "abc",
                "Access-Control-Allow-Origin", "*",
                "Server", "store"));
  }

  @Test
  void aPartOfAnObjectHasNoChecksumOfTheWhole() {
    assertThat(
            ForwardedFields.response(
                new ResponseHead(
                    206,
                    HttpFields.of(
                        "x-amz-checksum-crc64nvme", "abc",
                        "X-Amz-Checksum-Type", "FULL_OBJECT",
                        "Content-Range", "bytes 0-1/5"))))
        .isEqualTo(HttpFields.of("Content-Range", "bytes 0-1/5"));
  }

  // --- metadata ---

  @Test
  void metadataIsCountedAsS3CountsIt() {
    RequestHead head =
        new RequestHead(
            "PUT",
            "/b/k?x-amz-meta-c=345",
            HttpFields.of(
                "x-amz-meta-ab", "123", "X-AMZ-META-b", "4", "Content-Type", "text/plain"));
    assertThatCode(() -> UserMetadata.check(head, 11)).doesNotThrowAnyException();
    assertThatThrownBy(() -> UserMetadata.check(head, 10))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.error()).isEqualTo(S3Error.METADATA_TOO_LARGE));
  }

  @Test
  void whatOtherStoresTakeForCopiesGrantsOrForceStaysHere() {
    HttpFields sent =
        ForwardedFields.request(
            new RequestHead(
                "PUT",
                "/b/k",
                HttpFields.of(
                    "x-oss-copy-source", "/other/secret",
                    "x-minio-force-delete", "true",
                    "x-obs-acl", "public-read",
                    "x-amz-meta-a", "1")),
            new S3Operation.GetObject());
    assertThat(sent).isEqualTo(HttpFields.of("x-amz-meta-a", "1"));
  }

  @Test
  void aPreflightCarriesOnlyWhatABrowserAsks() {
    HttpFields sent =
        ForwardedFields.request(
            new RequestHead(
                "OPTIONS",
                "/b/k",
                HttpFields.of(
                    "Origin", "https://a.example",
                    "Access-Control-Request-Method", "PUT",
                    "x-amz-acl", "public-read",
                    "cookie", "a=b")),
            new S3Operation.Preflight());
    assertThat(sent)
        .isEqualTo(
            HttpFields.of("Origin", "https://a.example", "Access-Control-Request-Method", "PUT"));
  }
}
